import { parse } from 'dotenv';

/** KEY=value lines as dotenv reads them; a key is never lost, whatever its name. */
export function parseVariables(text: string): Readonly<Record<string, string>> {
  const found = parse(text);
  // Assigning this one to an object, as dotenv does, sets nothing.
  const isLost = /^\s*(?:export\s+)?__proto__\s*[=:]/m.test(text);
  return isLost ? Object.defineProperty(found, '__proto__', { value: '', enumerable: true }) : found;
}
