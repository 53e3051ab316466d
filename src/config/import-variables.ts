import { parse } from 'dotenv';
import { headers } from '../spec/index.ts';
import { ConfigurationError } from './configuration-error.ts';
import { didYouMean } from './did-you-mean.ts';
import { keys, secretKeys } from './keys.ts';

/** The variables of a file that somebody else's tool wrote. */
export interface Imported {
  /** What the file calls the environment; Postman's do. */
  readonly name?: string;
  /** By our key. */
  readonly values: ReadonlyMap<string, string>;
  readonly secrets: ReadonlyMap<string, string>;
  /** What was left out, with the reason; never a value. */
  readonly ignored: readonly string[];
}

interface Variable {
  readonly key: string;
  readonly value: string;
  readonly enabled: boolean;
}

/**
 * Reads a Postman environment (or collection) export, or a file of KEY=value lines. Names are taken as ours in any case and
 * with any separator; the document's header names stand for the keys that their values come from.
 * @throws ConfigurationError when it is neither.
 */
export function importVariables(text: string, file: string): Imported {
  const { name, variables } = text.trimStart().startsWith('{') ? readPostman(text, file) : readLines(text, file);
  const given = new Map(variables.map(({ key, value }) => [key, value]));
  const values = new Map<string, string>();
  const secrets = new Map<string, string>();
  const ignored: string[] = [];
  for (const variable of variables) {
    const { key, enabled } = variable;
    const ours = ourKey(key);
    const value = resolved(variable.value, given).trim();
    if (!ours) ignored.push(`${key} is not a recognised key${didYouMean(key, Object.keys(keys))}`);
    else if (!enabled) ignored.push(`${key} is disabled in the export`);
    else if (value === '') ignored.push(`${key} is empty`);
    else if (values.has(ours) || secrets.has(ours)) ignored.push(`${key} duplicates ${ours}`);
    else if (ours in secretKeys) secrets.set(ours, value.replace(/^bearer\s+/i, ''));
    else values.set(ours, value);
  }
  return { ...(name ? { name } : {}), values, secrets, ignored };
}

function readPostman(text: string, file: string): { name?: string; variables: Variable[] } {
  const problem = `${file} is neither a Postman environment export nor a file of KEY=value lines`;
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new ConfigurationError(`${problem}: it starts like JSON but is not valid JSON.`);
  }
  const { name, info, values, variable } = document as Record<string, unknown>;
  const list = values ?? variable;
  if (!Array.isArray(list)) throw new ConfigurationError(`${problem}: it has no list "values" or "variable".`);
  const title = name ?? (info as { name?: unknown } | undefined)?.name;
  const variables = list.map((each: { key?: unknown; value?: unknown; enabled?: unknown }) => ({
    key: String(each?.key ?? ''),
    value: String(each?.value ?? ''),
    enabled: each?.enabled !== false,
  }));
  return { ...(typeof title === 'string' ? { name: title } : {}), variables };
}

function readLines(text: string, file: string): { name?: string; variables: Variable[] } {
  const variables = Object.entries(parse(text)).map(([key, value]) => ({ key, value, enabled: true }));
  if (variables.length > 0) return { variables };
  throw new ConfigurationError(`${file} is neither a Postman environment export nor a file of KEY=value lines.`);
}

/** `{{other}}` stands for another variable of the file. */
function resolved(value: string, given: ReadonlyMap<string, string>): string {
  let text = value;
  // A variable that names itself would go round for ever.
  for (let round = 0; round < 5 && text.includes('{{'); round++)
    text = text.replace(/\{\{([^{}]+)\}\}/g, (whole, name: string) => given.get(name.trim()) ?? whole);
  return text;
}

const byHeader = new Map<string, string>(Object.values(headers).map(({ name, key }) => [normal(name), key]));

function ourKey(name: string): string | undefined {
  const wanted = normal(name);
  return [...Object.keys(keys), ...Object.keys(secretKeys)].find((key) => key === wanted) ?? byHeader.get(wanted);
}

/** FRIEND_URL for friend_url, friend-url, friendUrl and "Friend URL". */
function normal(name: string): string {
  return name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
}
