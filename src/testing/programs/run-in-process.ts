import { programFor } from '../../cli/program.ts';
import { endingOf } from '../../cli/start/report-error.ts';

/** The exit code and the output of a command that ran in this process. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs `sextant <args>` in this process as if it were a separate one, and catches output and errors. Only one command can run at a time. A
 * long-running command gets SIGTERM once its output matches `stopAt`, after `visit` was called with the output.
 */
export async function runInProcess(
  args: readonly string[],
  { stopAt, visit = () => {} }: { stopAt?: RegExp; visit?: (out: string) => unknown } = {},
): Promise<Ended> {
  const printed = { out: '', err: '' };
  let visited: Promise<unknown> | undefined;
  const listeners = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => [name, process.listeners(name)] as const);
  const heard = (stream: 'out' | 'err') => (text: string) => {
    printed[stream] += text;
    // Sends only one signal, because a second one would end this process.
    if (visited || !stopAt?.test(printed.out)) return;
    visited = new Promise(setImmediate).then(() => visit(printed.out)).finally(() => process.emit('SIGTERM'));
    // The error of a failed visit is thrown at the end of the command, not here.
    visited.catch(() => {});
  };
  const restore = [catchWrites(process.stdout, heard('out')), catchWrites(process.stderr, heard('err'))];
  const before = process.exitCode;
  process.exitCode = undefined;
  try {
    const { code, err } = await ended(async () => {
      const program = await programFor(args);
      await program.parseAsync(['node', 'sextant', ...args]);
    })();
    await visited;
    return { code: code || Number(process.exitCode ?? 0), out: printed.out, err: printed.err + err };
  } finally {
    process.exitCode = before;
    for (const back of restore) back();
    for (const [name, earlier] of listeners)
      for (const listener of process.listeners(name)) if (!earlier.includes(listener)) process.off(name, listener);
  }
}

/**
 * Catches all texts that are written to a stream, because commands write texts. Bytes still go to the stream, because they come from the
 * test runner.
 */
function catchWrites(stream: NodeJS.WriteStream, heard: (text: string) => void): () => void {
  const original = stream.write;
  stream.write = ((chunk: unknown, ...rest: unknown[]) => {
    if (typeof chunk !== 'string') return Reflect.apply(original, stream, [chunk, ...rest]);
    heard(chunk);
    const done = rest.find((each) => typeof each === 'function') as (() => void) | undefined;
    done?.();
    return true;
  }) as typeof stream.write;
  return () => {
    stream.write = original;
  };
}

/** Wraps `work` as a command: if it throws, the result has the exit code and the message with which a command would end. */
export function ended(work: () => unknown): () => Promise<Ended> {
  return async () => {
    try {
      await work();
      return { code: 0, out: '', err: '' };
    } catch (error) {
      const { code, text } = endingOf(error);
      return { code, out: '', err: text };
    }
  };
}
