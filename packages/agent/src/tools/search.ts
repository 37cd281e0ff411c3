/** A text search through files: what is asked, and what comes back, whichever program looks. */
export type Query = {
  /** Absolute; the files are below it. */
  readonly folder: string;
  /** One file in the folder; undefined: all of them. */
  readonly file: string | undefined;
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** Matches may reach over line ends, and `.` matches them. */
  readonly multiline: boolean;
  /** Lines of context. */
  readonly before: number;
  readonly after: number;
  /** Comma-separated globs that paths must match. */
  readonly glob: string | undefined;
  /** Globs of a file type. */
  readonly typeGlobs: readonly string[] | undefined;
  readonly signal: AbortSignal;
  readonly mayRead: (path: string) => Promise<boolean>;
};

export type SearchLine = { readonly number: number; readonly text: string; readonly match: boolean };
export type FileHit = {
  /** Relative to the folder. */
  readonly file: string;
  /** Lines that match. */
  readonly count: number;
  /** Matching lines with their context, in order. */
  readonly lines: readonly SearchLine[];
};

export type SearchResult =
  /** `notes`: what was passed over or left out. */
  | { readonly type: 'found'; readonly hits: readonly FileHit[]; readonly notes: readonly string[] }
  | { readonly type: 'bad-pattern'; readonly why: string };

/** Lines after which a search stops, and the milliseconds that one may take. */
export const maxLines = 20_000;
export const maxSearchMs = 20_000;
