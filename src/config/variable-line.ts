import { parseVariables } from './parse-variables.ts';

/** `KEY=value` with its line end, such that dotenv reads the very same value back; `undefined` when no quotes can do that. */
export function variableLine(key: string, value: string): string | undefined {
  const candidates = ['', "'", '`', '"'].map((quote) => `${key}=${quote}${value}${quote}\n`);
  // A second variable after it shows that the value ends where it should.
  return candidates.find((line) => {
    const read = parseVariables(`${line}_=_\n`);
    return read[key] === value && read._ === '_' && Object.keys(read).length === 2;
  });
}
