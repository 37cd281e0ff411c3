/** Loaded before a measured program (`--import`): at its end, writes its peak memory in bytes into the file `BENCH_PEAK`. */
import { readFileSync, writeFileSync } from 'node:fs';

const { BENCH_PEAK: file } = process.env;
if (file) process.on('exit', () => writeFileSync(file, String(peak())));

/** Linux counts a parent's memory as its child's in `maxRSS`, so the kernel's own mark is read where there is one. */
function peak() {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
