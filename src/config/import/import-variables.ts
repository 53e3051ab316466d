import { Redactor, Secret } from '../../client/index.ts';
import { areaIds, areas, headers } from '../../spec/index.ts';
import { attempt, ConfigurationError } from '../configuration-error.ts';
import { variableLine } from '../files/parse-variables.ts';
import { keys, secretKeys } from '../keys/keys.ts';
import { url } from '../keys/values.ts';
import { didYouMean } from '../words.ts';
import type { Variable } from './document.ts';
import { readSource, type Source } from './read-source.ts';
import { requestVariables } from './request-variables.ts';

export type Imported = ReturnType<typeof importSource>;

/** Variables of each stand for `{{variables}}` in all, and earlier sources win. @throws ConfigurationError for the first that fails. */
export function importAll(sources: readonly string[], mapping: Mapping = new Map()): Imported {
  const read = sources.map((source) => attempt(() => readSource(source)));
  const known: Variable[] = [];
  for (const each of read) if (!(each instanceof ConfigurationError)) known.push(...variablesOf(each, known).variables);
  const all = read.map((each) => {
    if (each instanceof ConfigurationError) throw each;
    return importSource(each, mapping, known);
  });
  const name = all.find((each) => each.name)?.name;
  return {
    kind: all.map(({ kind }) => kind).join(', '),
    ...(name ? { name } : {}),
    values: new Map(all.flatMap(({ values }) => [...values]).reverse()),
    secrets: new Map(all.flatMap(({ secrets }) => [...secrets]).reverse()),
    ignored: [...new Set(all.flatMap(({ ignored }) => ignored))],
  };
}

/** What a source defines and shows in its requests, with the values to put into `{{variables}}`. `others` are of other sources. */
function variablesOf({ contents: { variables: own, requests } }: Source, others: readonly Variable[]) {
  const given = new Map([...others, ...own].filter(({ enabled }) => enabled).map(({ key, value }) => [key, value]));
  const shown = requestVariables(requests, (text) => resolved(text, given));
  return { given, variables: [...own, ...shown.variables], ignored: shown.ignored };
}

/** Names are taken as ours in any spelling, and headers as their keys. @throws ConfigurationError when nothing can be taken. */
export function importSource(source: Source, mapping: Mapping = new Map(), others: readonly Variable[] = []) {
  const { kind, file, contents } = source;
  const { name, variables: own } = contents;
  const { given, variables, ignored: ofRequests } = variablesOf(source, others);
  const holdsSecret = secretsOf([...variables, ...others], given, mapping);
  const values = new Map<string, string>();
  const secrets = new Map<string, string>();
  const ignored: string[] = [...(contents.ignored ?? [])];
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
  ignored.push(...ofRequests);
  if (values.size + secrets.size === 0) throw nothingTaken(file, kind, ignored);
  // What was not taken, with reasons: never values.
  return { kind, ...(name ? { name } : {}), values, secrets, ignored };
}

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
  const scheme = value.indexOf('://');
  if ((isAddress || scheme >= 0) && value.includes('@', isAddress ? 0 : scheme))
    return 'is an address with a user or a password';
  if (isAddress && /[?#]/.test(value)) return 'is an address with a query or a fragment, which may contain a key';
  return undefined;
}

/** Characters: variables of variables would fill the memory. */
const MOST_RESOLVED = 100_000;

/** `{{other}}` stands for another variable of the file. */
function resolved(value: string, given: ReadonlyMap<string, string>): string {
  let [text, room] = [value, MOST_RESOLVED];
  const lookedUp = (whole: string, name: string) => {
    const found = given.get(name.trim()) ?? whole;
    room -= found.length;
    return room < 0 ? whole : found;
  };
  // A variable that references itself would loop forever.
  for (let round = 0; round < 5 && text.includes('{{'); round++) text = text.replace(/\{\{([^{}]+)\}\}/g, lookedUp);
  return text;
}

/** Our keys by others' names, in the form of `normalName`. */
export type Mapping = ReadonlyMap<string, string>;

const ours = [...Object.keys(keys), ...Object.keys(secretKeys)];

const byHeader = new Map<string, string>(Object.values(headers).map(({ name, key }) => [normalName(name), key]));

/** FRIENDS_URL, GAME_DESIGN_BASE_URL and FEATURE_TOGGLES_URL, as applications call them. */
const byArea = new Map<string, string>(
  areaIds.flatMap((area) =>
    [area, areas[area].title].flatMap((name) =>
      ['URL', 'BASE_URL'].map((end) => [`${normalName(name)}_${end}`, areas[area].addressKey] as const),
    ),
  ),
);

/** The key for another tool's name: as `mapping` has it, the same in any spelling, a header's, or an area's address. */
export function ourKey(name: string, mapping: Mapping = new Map()): string | undefined {
  const wanted = normalName(name);
  return mapping.get(wanted) ?? ours.find((key) => key === wanted) ?? byHeader.get(wanted) ?? byArea.get(wanted);
}

/** FRIEND_URL for friend_url, friend-url, friendUrl and "Friend URL". */
export function normalName(name: string): string {
  return name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
}

/** `theirs=OURS` words of `--map`. @throws ConfigurationError with all words that are wrong. */
export function parseMapping(words: readonly string[]): Mapping {
  const pairs = words.map((word) => {
    const at = word.lastIndexOf('=');
    return { word, theirs: word.slice(0, Math.max(at, 0)).trim(), key: word.slice(at + 1).trim() };
  });
  const wrong = pairs.filter(({ theirs, key }) => theirs === '' || !ours.includes(key));
  if (wrong.length > 0) {
    const texts = wrong.map(({ word, theirs, key }) =>
      theirs === '' ? `${word} has no =` : `${key} is not a key${didYouMean(key, ours)}`,
    );
    throw new ConfigurationError(`--map: ${texts.join('; ')}; expected theirs=OURS, e.g. base=FRIEND_URL.`);
  }
  return new Map(pairs.map(({ theirs, key }) => [normalName(theirs), key]));
}
