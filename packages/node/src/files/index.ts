/** Files: reading, writing, and what a model has seen of them. */
export { readTextFile, defaultMaxBytes, type FileReading } from './read.js';
export { writeTextFile, type FileWriting } from './write.js';
export { stampOf, statFile, type FileStat } from './stat.js';
export type { Encoding, LineEnd } from './encoding.js';
export type { ImageType, MediaType } from './media.js';
export type { SpecialKind } from './special.js';
export { clip, headOf, maxLineLength, numberLines, splitLines } from './lines.js';
export { listDirectory, listingText, type DirectoryListing } from './directory.js';
export { digestOf } from './digest.js';
export { keepText, maxKeptLength, viewed, viewOf } from './view.js';
export { fileChanges } from './changes.js';
export { fileMentions, maxMentionLines, numbered as numberedPage, type MentionOptions } from './mentions.js';
export { diffLines, hunkText, type Hunk, type LineDiff } from './diff.js';
export { shiftRanges } from './ranges.js';
export { atPaths, type AtPath } from './at-paths.js';
export { globReadings } from './glob-readings.js';
export { isWithin, realOf, realPathOf, resolveFrom } from './paths.js';
export { secretsIn } from './secrets.js';
