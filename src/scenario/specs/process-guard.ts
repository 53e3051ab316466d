import { syncBuiltinESMExports } from 'node:module';
import { inspect } from 'node:util';
import { exitCodes } from '../../verdict/exit-codes.ts';
import { isThrownBySuite, lineOfMistake, SpecMistake, teamLineOf } from '../../verdict/index.ts';
import { SpecRun, type Stray, strayed } from './spec-run.ts';

let isGuarded = false;

/** Keeps specs from ending this process. Also sends their standard output to stderr, because the process's own output may be a document. */
export function guardProcess(): void {
  if (isGuarded) return;
  isGuarded = true;
  for (const name of ['exit', 'reallyExit', 'abort'] as const) refuse(name);
  // Replaces the functions for `import { exit } from 'node:process'`, too, which would otherwise still give the original function.
  syncBuiltinESMExports();
  const { stdout, stderr } = process;
  const write: (...args: never[]) => boolean = stdout.write;
  const guarded = (...args: never[]): boolean =>
    isOfSpec(stackOf(guarded)) ? Reflect.apply(stderr.write, stderr, args) : Reflect.apply(write, stdout, args);
  stdout.write = guarded as typeof stdout.write;
}

/**
 * From now on, an uncaught error ends only the scenario that it comes from. `onLeft` gets the error if that scenario has ended already, or
 * if the error is the suite's own.
 */
export function watchStrays(onLeft: (error: unknown) => void): void {
  const hear = (kind: Stray) => (thrown: unknown) => {
    const left = strayed(thrown, kind);
    if (left !== undefined) onLeft(left);
  };
  process.on('unhandledRejection', hear('rejection'));
  process.on('uncaughtException', hear('exception'));
}

let isStaying = false;

/**
 * Called in processes that aren't a run. From then on, an error that comes after its scenario is printed, but doesn't change the exit code.
 */
export function staysWhateverIsLate(): void {
  isStaying = true;
}

/**
 * Handles an error that came after its scenario. After a spec's error, the run continues, and its exit code says that it could not be
 * judged. An error of the suite itself ends the process.
 */
export function endsUnjudged(error: unknown): void {
  // Another listener, such as a test runner's, gets the error, too, and handles it.
  if (process.listenerCount('uncaughtException') > 1) return;
  if (!(error instanceof SpecMistake)) {
    process.stderr.write(`${inspect(error)}\nThis is a bug in Sextant.\n`);
    process.exit(exitCodes.unjudged);
  }
  const ending = isStaying ? 'so its verdict stays' : 'so the run could not be judged';
  process.stderr.write(`${error.message}. It came when its scenario had ended, ${ending}.\n`);
  if (isStaying || hasEnding) return;
  hasEnding = true;
  process.once('exit', (code) => {
    if (code === exitCodes.held) process.exitCode = exitCodes.unjudged;
  });
}

let hasEnding = false;

function refuse(name: 'exit' | 'reallyExit' | 'abort'): void {
  const functions = process as unknown as Record<string, (...args: unknown[]) => unknown>;
  const original = functions[name] as (...args: unknown[]) => unknown;
  functions[name] = function guarded(...args) {
    const stack = stackOf(guarded);
    if (!isOfSpec(stack)) return Reflect.apply(original, process, args);
    const text = `process.${name} would end the whole run; remove it, or throw an error`;
    const mistake = new SpecMistake(text, lineOfMistake(stack));
    // Notes the mistake before it is thrown, because the spec may catch the error.
    SpecRun.current?.add(mistake);
    throw mistake;
  };
}

/** Number of stack frames to search: more than any library puts between a spec and the process. */
const MOST_FRAMES = 50;

/** The stack from the caller of the function `called` upwards. */
function stackOf(called: (...args: never[]) => unknown): string {
  const holder: { stack?: string } = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MOST_FRAMES;
  Error.captureStackTrace(holder, called);
  Error.stackTraceLimit = stackTraceLimit;
  return holder.stack ?? '';
}

function isOfSpec(stack: string): boolean {
  // `setTimeout(process.exit)` in a spec leaves no line of the spec on the stack. Then the `SpecRun` that is running shows whose code it
  // is.
  return teamLineOf(stack) !== undefined || (SpecRun.current !== undefined && !isThrownBySuite(stack));
}
