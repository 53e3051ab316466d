import { Redactor, Secret } from '../../client/index.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { didYouMean } from '../did-you-mean.ts';
import { parseVariables, variableLine } from '../files/parse-variables.ts';
import { keys, secretKeys } from '../keys/keys.ts';
import { url } from '../keys/values.ts';
import { type Contents, type Format, looksLikeJson, parsedDocument, type Variable, variable } from './document.ts';
import { bru } from './formats/bruno.ts';
import { brunoExport, postmanCollection, postmanEnvironment } from './formats/collections.ts';
import { curl } from './formats/curl.ts';
import { openapi } from './formats/openapi.ts';
import { type Mapping, normalName, ourKey } from './our-key.ts';
import { requestVariables } from './request-variables.ts';

/** What is known beside the file itself. */
export interface ImportOptions {
  readonly mapping?: Mapping | undefined;
  /** Variables of files that are imported with it; its own are added. */
  readonly others?: Variable[] | undefined;
}

/** The variables of a file written by another tool. */
export interface Imported {
  /** What was recognised, e.g. `a Postman environment`. */
  readonly kind: string;
  /** The environment's name in the file, as in Postman's. */
  readonly name?: string;
  /** By our key. */
  readonly values: ReadonlyMap<string, string>;
  readonly secrets: ReadonlyMap<string, string>;
  /** What was not taken, with reasons; never values. */
  readonly ignored: readonly string[];
}

/**
 * Reads a text of any kind that `formats` has. Names are taken as ours in any case and with any separator; the specification's
 * header names map to the keys of their values.
 * @throws ConfigurationError when it is of no known kind, or nothing in it can be taken.
 */
export function importVariables(text: string, file: string, { mapping, others }: ImportOptions = {}): Imported {
  if (/[\0\uFFFD]/.test(text)) throw new ConfigurationError(`${file} is not text in UTF-8. Save it as UTF-8.`);
  const document = parsedDocument(file, text);
  for (const { kind, read } of formats) {
    const contents = read(document);
    if (contents) return importContents(contents, { kind, file, mapping, others });
  }
  throw new ConfigurationError(
    `${file} is of no kind that can be imported: ${formats.map(({ kind }) => kind).join(', ')}.${document.trouble}`,
  );
}

/** The same for contents that were read already. @throws ConfigurationError when nothing can be taken. */
export function importContents(
  { name, variables: own, requests, ignored: others = [] }: Contents,
  {
    kind,
    file,
    mapping = new Map(),
    others: known = [],
  }: ImportOptions & { readonly kind: string; readonly file: string },
): Imported {
  const elsewhere = [...known];
  const given = new Map([...elsewhere, ...own].filter(({ enabled }) => enabled).map(({ key, value }) => [key, value]));
  const fromRequests = requestVariables(requests, (text) => resolved(text, given));
  const variables = [...own, ...fromRequests.variables];
  known.push(...variables);
  const holdsSecret = secretsOf([...variables, ...elsewhere], given, mapping);
  const values = new Map<string, string>();
  const secrets = new Map<string, string>();
  const ignored: string[] = [...others];
  for (const [index, variable] of variables.entries()) {
    const { key, enabled } = variable;
    const isOfRequest = index >= own.length;
    const ours = ourKey(key, mapping);
    const value = resolved(variable.value, given).trim();
    const [, unknown] = /\{\{([^{}]+)\}\}/.exec(value) ?? [];
    if (!ours) ignored.push(`${key} is not a recognised key${didYouMean(key, Object.keys(keys))}`);
    else if (!enabled) ignored.push(`${key} is disabled in the export`);
    else if (value === '') ignored.push(`${key} is empty`);
    else if (isOfRequest && (values.has(ours) || secrets.has(ours))) continue;
    else if (values.has(ours) || secrets.has(ours)) ignored.push(`${key} duplicates ${ours}`);
    else if (unknown !== undefined)
      ignored.push(
        `${key} comes from {{${unknown}}}, which is in no file that was named: import the environment that has it, too`,
      );
    else if (variableLine(ours, value) === undefined)
      ignored.push(`${key} has a value that an environment file can't contain`);
    else if (ours in secretKeys) secrets.set(ours, value.replace(/^bearer\s+/i, ''));
    else {
      const risk = whyNotForGit(ours, value, holdsSecret);
      if (risk) ignored.push(`${key} ${risk}`);
      else values.set(ours, value);
    }
  }
  ignored.push(...fromRequests.ignored);
  if (values.size + secrets.size === 0) throw nothingTaken(file, kind, ignored);
  return { kind, ...(name ? { name } : {}), values, secrets, ignored };
}

/** Some of the reasons are enough, in one line. */
function nothingTaken(file: string, kind: string, ignored: readonly string[]): ConfigurationError {
  const shown = ignored.slice(0, 3).map((line) => line.slice(0, 150));
  const rest = ignored.length - shown.length;
  const reasons = shown.length > 0 ? `: ${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}` : '';
  return new ConfigurationError(
    `Nothing in ${file} (${kind}) can be taken${reasons}. --map theirs=OURS takes a variable of another name.`,
  );
}

/** Names of variables that hold secrets, in whichever case and with whichever separator. */
const SECRET_NAME = /token|secret|passw|credential|api_?key|private_?key|authori[sz]ation|session/i;

/** Shorter ones would be found in ordinary texts. */
const SHORTEST_SECRET = 4;

/** Whether a text holds a secret of the file, in any of the forms that a report is searched for. */
function secretsOf(
  variables: readonly Variable[],
  given: ReadonlyMap<string, string>,
  mapping: Mapping,
): (text: string) => boolean {
  const texts = variables.flatMap(({ key, value, isSecret }) => {
    const text = resolved(value, given)
      .trim()
      .replace(/^(bearer|basic)\s+/i, '');
    // What another file defines is not known here.
    if (text.length < SHORTEST_SECRET || text.includes('{{')) return [];
    // A token endpoint's address has such a name, too.
    const isNamedLikeOne = SECRET_NAME.test(normalName(key)) && !/^https?:/i.test(text);
    return isSecret || isNamedLikeOne || (ourKey(key, mapping) ?? '') in secretKeys ? [text] : [];
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

/** A file of KEY=value lines, as applications have them. Last in the list: many a text has a line that looks like one. */
const lines: Format = {
  kind: 'KEY=value lines (.env)',
  read: ({ text }) => {
    if (looksLikeJson(text)) return undefined;
    // dotenv takes `key: value` as well, and so half of any YAML, such as `openapi: 3.1.0`.
    const named = new Set(Array.from(text.matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*=/gm), ([, key]) => key));
    const entries = Object.entries(parseVariables(text)).filter(([key]) => named.has(key));
    if (entries.length === 0) return undefined;
    return { variables: entries.map(([key, value]) => variable(key, value)), requests: [] };
  },
};

/** Every kind of file that can be imported; the first that recognises a file reads it. */
const formats: readonly Format[] = [curl, postmanEnvironment, postmanCollection, brunoExport, openapi, bru, lines];
