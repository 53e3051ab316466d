import { syncBuiltinESMExports } from 'node:module';
import { inspect } from 'node:util';
import { exitCodes } from '../../verdict/exit-codes.ts';
import { isThrownBySuite, lineOfMistake, SpecMistake, teamLineOf } from '../../verdict/index.ts';
import { SpecRun, type Stray, strayed } from './spec-run.ts';

let isGuarded = false;

/** From now on no spec ends this process, or writes to its standard output, which may be a document. */
export function guardProcess(): void {
  if (isGuarded) return;
  isGuarded = true;
  for (const name of ['exit', 'reallyExit', 'abort'] as const) refuse(name);
  // `import { exit } from 'node:process'` has a copy.
  syncBuiltinESMExports();
  const { stdout, stderr } = process;
  const write: (...args: never[]) => boolean = stdout.write;
  const guarded = (...args: never[]): boolean =>
    isOfSpec(stackOf(guarded)) ? Reflect.apply(stderr.write, stderr, args) : Reflect.apply(write, stdout, args);
  stdout.write = guarded as typeof stdout.write;
}

/** In this process, an error that nothing catches ends only the scenario that it comes from. `onLeft` gets an error that comes after its scenario. */
export function watchStrays(onLeft: (error: unknown) => void): void {
  const hear = (kind: Stray) => (thrown: unknown) => {
    const left = strayed(thrown, kind);
    if (left !== undefined) onLeft(left);
  };
  process.on('unhandledRejection', hear('rejection'));
  process.on('uncaughtException', hear('exception'));
}

let isStaying = false;

/** For processes that are no run: they print a late error, and their exit code stays. */
export function staysWhateverIsLate(): void {
  isStaying = true;
}

/** How commands treat an error that came after its scenario: a spec's makes the run unjudged, and the run continues; the suite's own ends it. */
export function endsUnjudged(error: unknown): void {
  // Another one hears of it, too: a test runner's.
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
    const text = `process.${name} would end the whole run; take it out, or throw an error`;
    const mistake = new SpecMistake(text, lineOfMistake(stack));
    // The spec may catch it.
    SpecRun.current?.add(mistake);
    throw mistake;
  };
}

/** More than a library puts between a spec and the process. */
const MOST_FRAMES = 50;

/** The stack of who called it. */
function stackOf(called: (...args: never[]) => unknown): string {
  const holder: { stack?: string } = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MOST_FRAMES;
  Error.captureStackTrace(holder, called);
  Error.stackTraceLimit = stackTraceLimit;
  return holder.stack ?? '';
}

function isOfSpec(stack: string): boolean {
  // `setTimeout(process.exit)`: no line calls it.
  return teamLineOf(stack) !== undefined || (SpecRun.current !== undefined && !isThrownBySuite(stack));
}
