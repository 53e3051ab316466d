/** Whether this process runs one command and nothing else. */
let isOwn = false;

/** To be called where the program starts: any other process that calls a command, as a test does, has more to do. */
export function ownProcess(): void {
  isOwn = true;
}

/** Starts the command anew with other flags of Node, under the same pid; returns if the process can't be replaced. */
function replaceProcess(flags: readonly string[]): void {
  // Windows can't.
  if (!isOwn || process.platform === 'win32') return;
  process.execve?.(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)]);
}

/** In MB; what 4,400 scenarios with ten readers take is a third of it. */
const USUAL_MB = 160;

const LIMIT = '--max-old-space-size=';

/**
 * For a process that runs for months with little live data: without a limit, V8's young heap would keep growing. Of its
 * two optimizing compilers the heavier one gains nothing where most time goes into calls of the system, and compiling
 * in threads keeps the memory of each: together 16 MB. To prefer size to speed saves 9 MB more, for a fifth more of the
 * CPU, which is little; the compiler of the first tier costs 3 MB and saves hardly any. V8 keeps compiled code: pages
 * are opened so rarely that it would otherwise drop their functions and compile them again. V8 reads its flags only at
 * start, so the process replaces itself under the same pid.
 */
const STEADY = [
  '--max-semi-space-size=1',
  '--optimize-for-size',
  '--no-sparkplug',
  '--no-opt',
  '--no-concurrent-recompilation',
  '--no-flush-bytecode',
];

/** The flags of Node for a heap of `mb` megabytes. */
export const heapFlags = (mb: number) => [...STEADY, `${LIMIT}${mb}`];

/** Continues in a small heap if the platform can replace a process, otherwise in the normal one. */
export function inSmallHeap(): void {
  if (!process.execArgv.some((flag) => flag.startsWith(LIMIT))) inHeapOf(USUAL_MB);
}

/** Continues in a heap of `mb` megabytes; returns if that is the one it has, or the platform can't replace a process. */
export function inHeapOf(mb: number): void {
  if (process.execArgv.includes(`${LIMIT}${mb}`)) return;
  const others = process.execArgv.filter((flag) => !flag.startsWith(LIMIT) && !STEADY.includes(flag));
  replaceProcess([...heapFlags(mb), ...others]);
}
