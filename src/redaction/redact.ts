import { withoutCommands } from './log-commands.ts';
import { type Redacted, Redactor } from './redactor.ts';
import { created, type Secret } from './secret.ts';

const kept = new Map<string, Secret>();

/** Keeps secrets in use as long as the process runs, independent of their environment. */
export function keepSecrets(secrets: Iterable<Secret>): void {
  for (const secret of secrets) kept.set(secret.reveal(), secret);
}

/**
 * The only way of a text into an artifact: file, console, database, page, alert, report. An exchange never contains
 * the secrets of its environment; this removes the secrets of every environment and user in use, also from derived
 * texts.
 */
export function redact(text: string): Redacted {
  return redactor().text(text);
}

/** The same for bytes: those that are no text, or hold no secret, stay as they are. */
export function redactBytes(bytes: Uint8Array, cleaned: (text: string) => string = redact): Redacted<Uint8Array> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const clean = cleaned(text);
  return (clean === text ? bytes : Buffer.from(clean)) as Redacted<Uint8Array>;
}

/** A text of parts: `clean` is what a library's package has, or what was redacted before it was packed. */
export function redactParts(parts: readonly (string | { readonly clean: string })[]): Redacted {
  return parts.map((part) => (typeof part === 'string' ? redact(part) : part.clean)).join('') as Redacted;
}

export function redactJson<T>(value: T): Redacted<T> {
  return redactor().json(value) as Redacted<T>;
}

let ofAll = new Redactor();
/** How many of the secrets created it has; and with how many those that were forgotten since are taken out. */
let [added, most] = [0, 64];

function redactor(): Redactor {
  if (created.length > most) {
    const inUse = created.filter((reference) => reference.deref());
    created.splice(0, Number.POSITIVE_INFINITY, ...inUse);
    [ofAll, added, most] = [new Redactor(), 0, 2 * inUse.length + 64];
  }
  for (; added < created.length; added++) {
    const secret = created[added]?.deref();
    if (secret) ofAll.add(secret);
  }
  return ofAll;
}

type Write = (chunk: string | Uint8Array, ...rest: unknown[]) => boolean;

/** How to write to a guarded stream past its guard. */
const guarded = new WeakMap<NodeJS.WriteStream, Write>();

/**
 * Redacts everything that this process writes to standard output and error from now on, and breaks what the log of a pipeline would take for
 * a command: by the program, the test runner's reporters, a library.
 */
export function guardOutput(streams: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr]): void {
  for (const stream of streams.filter((each) => !guarded.has(each))) {
    const write = stream.write.bind(stream) as Write;
    guarded.set(stream, write);
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) =>
      write(typeof chunk === 'string' ? harmless(chunk) : redactBytes(chunk, harmless), ...rest);
  }
}

const harmless = (text: string) => withoutCommands(redact(text));

/** Writes commands of our own to the log of a pipeline. */
export function writeCommands(lines: readonly Redacted[], stream: NodeJS.WriteStream): void {
  const write = guarded.get(stream) ?? (stream.write.bind(stream) as Write);
  for (const line of lines) write(`${line}\n`);
}
