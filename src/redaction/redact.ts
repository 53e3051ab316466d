import { withoutCommands } from './log-commands.ts';
import { type Redacted, Redactor } from './redactor.ts';
import { created, type Secret } from './secret.ts';

const kept = new Map<string, Secret>();

/** Makes `redact` mask these secrets until the process ends, even if nothing else refers to them. */
export function keepSecrets(secrets: Iterable<Secret>): void {
  for (const secret of secrets) kept.set(secret.reveal(), secret);
}

/**
 * Every text passes this function on its way into an artifact: file, console, database, page, alert, report. An exchange is created with
 * the secrets of its environment masked. This function masks the secrets of all environments and users of the process, also in texts that
 * are derived from exchanges.
 */
export function redact(text: string): Redacted {
  return redactor().text(text);
}

/** The last long texts of `redactAgain`, the latest at the end, with their results for all secrets so far. */
const searched = new Map<string, Redacted>();
const MOST_SEARCHED = 8;
/** The search of a text of this length takes about a millisecond. */
const LONG = 10_000;

/**
 * The same as `redact` for a text that often comes again, such as a page for its next reader: if it is long, it is searched only once, until
 * there is a further secret.
 */
export function redactAgain(text: string): Redacted {
  if (text.length < LONG) return redact(text);
  const current = redactor();
  const clean = searched.get(text) ?? current.text(text);
  searched.delete(text);
  searched.set(text, clean);
  if (searched.size > MOST_SEARCHED) searched.delete(searched.keys().next().value as string);
  return clean;
}

/** The same as `redact` for bytes. Bytes without a secret stay unchanged, even if they aren't text. */
export function redactBytes(bytes: Uint8Array, cleaned: (text: string) => string = redact): Redacted<Uint8Array> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const clean = cleaned(text);
  return (clean === text ? bytes : Buffer.from(clean)) as Redacted<Uint8Array>;
}

/**
 * Redacts a text in parts. A `clean` part isn't searched, because it comes from a library's package or was redacted before it was encoded.
 */
export function redactParts(parts: readonly (string | { readonly clean: string })[]): Redacted {
  return parts.map((part) => (typeof part === 'string' ? redact(part) : part.clean)).join('') as Redacted;
}

export function redactJson<T>(value: T): Redacted<T> {
  return redactor().json(value) as Redacted<T>;
}

let ofAll = new Redactor();
/**
 * `added`: the number of secrets in `created` that `ofAll`, the redactor of all secrets, already has. `most`: the length of `created` at
 * which secrets that nothing uses any more are removed.
 */
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
    searched.clear();
  }
  return ofAll;
}

type Write = (chunk: string | Uint8Array, ...rest: unknown[]) => boolean;

/** The original `write` of each guarded stream, for output that must bypass the guard. */
const guarded = new WeakMap<NodeJS.WriteStream, Write>();

/**
 * Redacts everything that the program, the test runner's reporters or a library write to standard output and error from now on, and breaks
 * texts that a pipeline would obey as commands in its log.
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

/** Writes commands of Sextant itself to the log of a pipeline. They bypass the guard, which would break them. */
export function writeCommands(lines: readonly Redacted[], stream: NodeJS.WriteStream): void {
  const write = guarded.get(stream) ?? (stream.write.bind(stream) as Write);
  for (const line of lines) write(`${line}\n`);
}
