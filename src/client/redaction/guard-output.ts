import { redact, redactBytes } from './redact.ts';

const guarded = new WeakSet<NodeJS.WriteStream>();

/**
 * Redacts everything that this process writes to standard output and error from now on: by the program, the test
 * runner's reporters, a library.
 */
export function guardOutput(streams: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr]): void {
  for (const stream of streams.filter((each) => !guarded.has(each))) {
    guarded.add(stream);
    const write = stream.write.bind(stream) as (chunk: string | Uint8Array, ...rest: unknown[]) => boolean;
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) =>
      write(typeof chunk === 'string' ? redact(chunk) : redactBytes(chunk), ...rest);
  }
}
