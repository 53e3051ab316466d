import { Redactor, Secret } from '../client/index.ts';
import { headers } from '../spec/index.ts';
import { ConfigurationError } from './configuration-error.ts';
import { didYouMean } from './did-you-mean.ts';
import { keys, secretKeys } from './keys.ts';
import { parseVariables } from './parse-variables.ts';
import { url } from './values.ts';
import { variableLine } from './variable-line.ts';

/** The variables of a file written by another tool. */
export interface Imported {
  /** The environment's name in the file, as in Postman's. */
  readonly name?: string;
  /** By our key. */
  readonly values: ReadonlyMap<string, string>;
  readonly secrets: ReadonlyMap<string, string>;
  /** Ignored variables with reasons; never values. */
  readonly ignored: readonly string[];
}

interface Variable {
  readonly key: string;
  readonly value: string;
  readonly enabled: boolean;
  /** The file itself says that it is one; Postman's may. */
  readonly isSecret: boolean;
}

/**
 * Reads a Postman environment (or collection) export, or a file of KEY=value lines. Names are taken as ours in any case and
 * with any separator; the specification's header names map to the keys of their values.
 * @throws ConfigurationError when it is neither.
 */
export function importVariables(text: string, file: string): Imported {
  const { name, variables } = text.trimStart().startsWith('{') ? readPostman(text, file) : readLines(text, file);
  const given = new Map(variables.map(({ key, value }) => [key, value]));
  const holdsSecret = secretsOf(variables, given);
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
    else if (variableLine(ours, value) === undefined)
      ignored.push(`${key} has a value that an environment file can't contain`);
    else if (ours in secretKeys) secrets.set(ours, value.replace(/^bearer\s+/i, ''));
    else {
      const risk = whyNotForGit(ours, value, holdsSecret);
      if (risk) ignored.push(`${key} ${risk}`);
      else values.set(ours, value);
    }
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
  const title = name ?? (info as { name?: unknown } | null | undefined)?.name;
  const variables = list.map((each: Readonly<Record<string, unknown>> | null) => ({
    key: textOf(each?.key),
    value: textOf(each?.value),
    enabled: each?.enabled !== false,
    isSecret: each?.type === 'secret',
  }));
  return { ...(typeof title === 'string' ? { name: title } : {}), variables };
}

function readLines(text: string, file: string): { name?: string; variables: Variable[] } {
  const entries = Object.entries(parseVariables(text));
  const variables = entries.map(([key, value]) => ({ key, value, enabled: true, isSecret: false }));
  if (variables.length > 0) return { variables };
  throw new ConfigurationError(`${file} is neither a Postman environment export nor a file of KEY=value lines.`);
}

/** A text, a number or a boolean; anything else is not a variable's value. */
function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** Names of variables that hold secrets, in whichever case and with whichever separator. */
const SECRET_NAME = /token|secret|passw|credential|api_?key|private_?key|authori[sz]ation|session/i;

/** Shorter ones would be found in ordinary texts. */
const SHORTEST_SECRET = 4;

/** Whether a text holds a secret of the file, in any of the forms that a report is searched for. */
function secretsOf(variables: readonly Variable[], given: ReadonlyMap<string, string>): (text: string) => boolean {
  const texts = variables.flatMap(({ key, value, isSecret }) => {
    const text = resolved(value, given)
      .trim()
      .replace(/^(bearer|basic)\s+/i, '');
    if (text.length < SHORTEST_SECRET) return [];
    // The address where tokens are had is named like one, too.
    const isNamedLikeOne = SECRET_NAME.test(normal(key)) && !/^https?:/i.test(text);
    return isSecret || isNamedLikeOne || (ourKey(key) ?? '') in secretKeys ? [text] : [];
  });
  const redactor = new Redactor(texts.map((text) => new Secret(text)));
  return (text) => redactor.text(text) !== text;
}

/** Why a value must not stand in the file that is meant for git; `undefined` when it may. */
function whyNotForGit(key: string, value: string, holdsSecret: (text: string) => boolean): string | undefined {
  if (holdsSecret(value)) return 'contains one of the secrets, but this file is for git';
  const isAddress = Object.entries(keys).some(([name, { check }]) => name === key && check === url);
  if ((isAddress && value.includes('@')) || /:\/\/.*@/.test(value)) return 'is an address with a user or a password';
  if (isAddress && /[?#]/.test(value)) return 'is an address with a query or a fragment, which may contain a key';
  return undefined;
}

/** `{{other}}` stands for another variable of the file. */
function resolved(value: string, given: ReadonlyMap<string, string>): string {
  let text = value;
  // A variable that references itself would loop forever.
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
