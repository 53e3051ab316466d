import { type Fact, Facts, factsText, factText, parseFacts } from '../facts/index.ts';
import { redact } from '../redaction/index.ts';
import { ConfigurationError } from './configuration-error.ts';
import { shown } from './files/file-trouble.ts';
import { fileRoles, readText, readTextIfAny, replaceText } from './files/index.ts';
import { factProblem, factsOfKey, formerReadingKeys } from './former-keys.ts';

/** The facts in a file; `undefined` if there is no file. Each problem of a file that can't be used is reported. */
export function readFacts(path: string, report: (path: string, key: string, text: string) => void): Facts | undefined {
  const text = readTextIfAny(path, fileRoles.facts);
  if (text === undefined) return undefined;
  const found = parseFacts(text, factProblem);
  if (found instanceof Facts) return found;
  for (const { place, text: problem } of found) report(path, place, problem);
  return undefined;
}

/** The facts in a file that must exist. @throws ConfigurationError with all problems of the file. */
export function factsIn(path: string): Facts {
  const found = parseFacts(readText(path, fileRoles.facts), factProblem);
  if (found instanceof Facts) return found;
  const lines = found.map(({ place, text }) => `  ${place}: ${text}`);
  throw new ConfigurationError(`${shown(path)} can't be used:\n${lines.join('\n')}`);
}

/** Replaces the file as a whole. If that fails, the file stays unchanged. */
export function writeFacts(path: string, facts: Facts): void {
  replaceText(path, redact(factsText(facts)), fileRoles.facts);
}

export const today = (now = new Date()): string => now.toISOString().slice(0, 10);

/**
 * The keys of an environment's file that earlier versions used to answer open questions, each with the facts that replace it. `facts` is
 * absent if the key's value can't be understood.
 */
export function formerReadings(raw: Readonly<Record<string, string>>): { key: string; facts?: readonly Fact[] }[] {
  return formerReadingKeys
    .filter((key) => key in raw)
    .map((key) => {
      const facts = factsOfKey(key, (raw[key] ?? '').trim(), today());
      return facts ? { key, facts } : { key };
    });
}

export function isFormerReading(key: string): boolean {
  return formerReadingKeys.includes(key);
}

/** Maximum number of facts in a message. Further facts are only counted. */
const MOST_SHOWN = 2;

/** Explains to a user how to replace a key of earlier versions by facts. */
export function formerReadingText(facts: readonly Fact[] | undefined, factsFile: string, ownFile: string): string {
  if (!facts)
    return `is no key any more, but a fact, and Sextant does not understand its value; remove the key, and survey the environment`;
  const shown = facts.slice(0, MOST_SHOWN).map(factText).join(', ');
  const more = facts.length - MOST_SHOWN;
  const others =
    more > 0 ? ` and ${more} more, which \`npx sextant environments import ${ownFile} --force\` writes` : '';
  return `is no key any more, but a fact; remove the key here, and add to ${factsFile}: ${shown}${others}`;
}
