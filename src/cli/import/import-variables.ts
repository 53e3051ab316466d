import { attempt, ConfigurationError } from '../../environment/configuration-error.ts';
import {
  formerReadings,
  isFormerReading,
  keys,
  placeholderText,
  secretKeys,
  url,
  variableLine,
} from '../../environment/index.ts';
import { didYouMean } from '../../environment/sentence-parts.ts';
import { Facts } from '../../facts/index.ts';
import { Redactor, Secret } from '../../redaction/index.ts';
import { areaIds, areas, headers } from '../../service/index.ts';
import type { Variable } from './document.ts';
import { readSource, type Source } from './read-source.ts';
import { type Resolve, requestVariables } from './request-variables.ts';

export type Imported = ReturnType<typeof importSource>;

/**
 * Imports several sources together, because each source can use the variables of the other sources.
 * @throws ConfigurationError with each source that can't be read, or if nothing can be imported
 */
export function importAll(sources: readonly string[], mapping: Mapping = new Map()): Imported {
  const read = sources.map((source) => attempt(() => readSource(source)));
  const wrong = read.filter((each) => each instanceof ConfigurationError);
  if (wrong.length > 0) throw new ConfigurationError(wrong.map(({ message }) => message).join('\n'));
  return importSources(read as Source[], mapping);
}

/**
 * Imports one source.
 * @throws ConfigurationError if nothing can be imported
 */
export function importSource(source: Source, mapping: Mapping = new Map()) {
  return importSources([source], mapping);
}

/**
 * Recognises Sextant's keys in any spelling, and headers by their names. Replaces `{{variables}}` in each source by the variables of all
 * sources. If several sources define a variable, an environment takes precedence over a collection, as in the tools that wrote the files;
 * otherwise, the earlier source does.
 */
function importSources(sources: readonly Source[], mapping: Mapping) {
  const ordered = sources.toSorted(
    (a, b) => Number(a.contents.requests.length > 0) - Number(b.contents.requests.length > 0),
  );
  const defined = ordered.toReversed().flatMap(({ contents }) => contents.variables.filter(({ enabled }) => enabled));
  const given = new Map(defined.map(({ key, value }) => [key, value]));
  const used = new Set<string>();
  const resolve: Resolve = (text, own = []) => {
    const inner = own.filter(({ enabled }) => enabled).map(({ key, value }) => [key, value] as const);
    return resolved(text, inner.length === 0 ? given : new Map([...given, ...inner]), used);
  };
  const shown = ordered.map(({ contents }) => requestVariables(contents.requests, resolve));
  const scoped = ordered.flatMap(({ contents }) => contents.requests.flatMap(({ variables = [] }) => variables));
  const all = [...defined, ...shown.flatMap(({ variables }) => variables), ...new Set(scoped)];
  const draft = new Draft(secretsOf(all, given, mapping));
  const texts = new Map(all.map((each) => [each, resolve(each.value)]));
  for (const [index, { file, contents }] of ordered.entries()) {
    draft.ignored.push(...(contents.ignored ?? []));
    const last = new Map(contents.variables.map((each) => [each.enabled ? each.key : each, each]));
    for (const variable of contents.variables) {
      if (variable.enabled && last.get(variable.key) !== variable)
        draft.ignored.push(`${variable.key} appears again below, and the last one counts`);
      // Skip keys of Sextant's first version, because `factsOf` converts them. Also skip a variable that only helps to build other values,
      // so that no message reports it as left out.
      else if (isFormerReading(variable.key)) continue;
      else if (ourKey(variable.key, mapping) !== undefined || !used.has(variable.key))
        draft.take(variable, ourKey(variable.key, mapping), texts.get(variable) ?? variable.value, file);
    }
    const { variables, ignored } = shown[index] as (typeof shown)[number];
    for (const variable of variables)
      draft.take(variable, ourKey(variable.key), texts.get(variable) ?? variable.value, `requests of ${file}`);
    draft.ignored.push(...ignored);
  }
  const facts = factsOf(defined, draft.ignored);
  const kind = ordered.map((each) => each.kind).join(', ');
  const name = sources.find(({ contents }) => contents.name)?.contents.name;
  const { values, secrets, unknown } = draft;
  const ignored = [...new Set(draft.ignored)];
  if (values.size + secrets.size + facts.size === 0)
    throw nothingTaken(sources.map(({ file }) => file).join(', '), kind, ignored);
  return { kind, ...(name ? { name } : {}), ...(unknown ? { unknown } : {}), values, secrets, facts, ignored };
}

/** Converts variables that were keys in Sextant's first version to the facts that replaced these keys. */
function factsOf(variables: readonly Variable[], ignored: string[]): Facts {
  const raw = Object.fromEntries(variables.map(({ key, value }) => [key, value]));
  return new Facts(
    formerReadings(raw).flatMap(({ key, facts }) => {
      if (!facts) ignored.push(`${key} is a fact now, and Sextant does not understand its value`);
      return facts ?? [];
    }),
  );
}

/** The values that were imported so far, and the reasons why other values were not imported. The reasons contain no values. */
class Draft {
  readonly values = new Map<string, string>();
  readonly secrets = new Map<string, string>();
  readonly ignored: string[] = [];
  /** The first variable that is not a key of Sextant, as an example for `--map`. */
  unknown: string | undefined;
  readonly #sources = new Map<string, { readonly value: string; readonly from: string }>();
  readonly #holdsSecret: (text: string) => boolean;

  constructor(holdsSecret: (text: string) => boolean) {
    this.#holdsSecret = holdsSecret;
  }

  take({ key, enabled }: Variable, ours: string | undefined, text: string, from: string): void {
    const value = text.trim();
    const why = whyNot({ key, enabled }, ours, value) ?? (ours && this.#whyNotHere(ours, value));
    const earlier = this.#sources.get(ours ?? '');
    if (ours === undefined) this.unknown ??= key;
    if (why || ours === undefined) this.ignored.push(`${key} ${why}`);
    else if (earlier && withoutBearer(earlier.value) === withoutBearer(value)) return;
    else if (earlier) this.ignored.push(`${key} of ${from}: ${ours} was taken from ${earlier.from}`);
    else {
      this.#sources.set(ours, { value, from: `${key} of ${from}` });
      if (ours in secretKeys) this.secrets.set(ours, withoutBearer(value));
      else this.values.set(ours, value);
    }
  }

  #whyNotHere(ours: string, value: string): string | undefined {
    return ours in secretKeys ? undefined : whyNotForGit(ours, value, this.#holdsSecret);
  }
}

const withoutBearer = (value: string) => value.replace(/^bearer\s+/i, '');

/** Why a variable can't be imported at all; `undefined` if it can be imported. */
function whyNot(
  { key, enabled }: Pick<Variable, 'key' | 'enabled'>,
  ours: string | undefined,
  value: string,
): string | undefined {
  const [, unknown] = /\{\{([^{}]+)\}\}/.exec(value) ?? [];
  if (ours === undefined) return `is not a recognised key${suggestion(key)}`;
  if (!enabled) return 'is disabled in the export';
  if (value === '') return 'is empty';
  if (unknown !== undefined)
    return `comes from {{${unknown}}}, which no given file defines: import the environment that defines it, too`;
  if (placeholderText(withoutBearer(value))) return 'is still a placeholder';
  if (variableLine(ours, value) === undefined) return "has a value that an environment file can't contain";
  return undefined;
}

function nothingTaken(file: string, kind: string, ignored: readonly string[]): ConfigurationError {
  const shown = ignored.slice(0, 3).map((line) => line.slice(0, 150));
  const rest = ignored.length - shown.length;
  const reasons = shown.length > 0 ? `: ${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}` : '';
  return new ConfigurationError(
    `Nothing in ${file} (${kind}) can be used${reasons}. --map theirs=OURS uses a variable that has another name.`,
  );
}

/** Matches names of variables that contain secrets, in any case and with any separator. */
const SECRET_NAME = /token|secret|passw|credential|api_?key|private_?key|authori[sz]ation|session/i;

/** Minimum length of a secret, in characters. The search for a shorter secret would also find it in ordinary texts. */
const SHORTEST_SECRET = 4;

/** Returns a function that is true if a text contains one of the variables' secrets, also encoded, e.g. in base64. */
function secretsOf(
  variables: readonly Variable[],
  given: ReadonlyMap<string, string>,
  mapping: Mapping,
): (text: string) => boolean {
  const texts = variables.flatMap(({ key, value, isSecret }) => {
    const text = resolved(value, given)
      .trim()
      .replace(/^(bearer|basic)\s+/i, '');
    // If the text still contains `{{…}}`, it names a variable of another file, and isn't the secret itself.
    if (text.length < SHORTEST_SECRET || text.includes('{{')) return [];
    // The name of a token endpoint's address may look like the name of a secret, but an address isn't secret.
    const isNamedLikeOne = SECRET_NAME.test(normalName(key)) && !/^https?:/i.test(text);
    return isSecret || isNamedLikeOne || (ourKey(key, mapping) ?? '') in secretKeys ? [text] : [];
  });
  const redactor = new Redactor(texts.map((text) => new Secret(text)));
  return (text) => redactor.text(text) !== text;
}

/** The reason why a value must not be in the file that is committed to git; `undefined` if it may be there. */
function whyNotForGit(key: string, value: string, holdsSecret: (text: string) => boolean): string | undefined {
  if (holdsSecret(value)) return 'contains one of the secrets, but git keeps this file';
  const isAddress = Object.entries(keys).some(([name, { check }]) => name === key && check === url);
  const scheme = value.indexOf('://');
  if ((isAddress || scheme >= 0) && value.includes('@', isAddress ? 0 : scheme))
    return 'is an address with a user or a password';
  if (isAddress && /[?#]/.test(value)) return 'is an address with a query or a fragment, which may contain a key';
  return undefined;
}

/**
 * Maximum length of a value after its variables are replaced, in characters. Without this limit, variables within variables could fill the
 * memory.
 */
const MOST_RESOLVED = 100_000;

/** Replaces `{{other}}` by the value of another variable, and `{{other:-text}}` by the text if that variable is missing or empty. */
function resolved(value: string, given: ReadonlyMap<string, string>, used?: Set<string>): string {
  let [text, room] = [value, MOST_RESOLVED];
  const lookedUp = (whole: string, name: string) => {
    const [key = '', otherwise] = name.trim().split(/:-(.*)/s);
    const found = otherwise === undefined ? (given.get(key) ?? whole) : given.get(key) || otherwise;
    used?.add(key);
    room -= found.length;
    return room < 0 ? whole : found;
  };
  // At most five rounds, because a variable may contain itself, and the replacement would never end.
  for (let round = 0; round < 5 && text.includes('{{'); round++) text = text.replace(/\{\{([^{}]+)\}\}/g, lookedUp);
  return text;
}

/** Sextant's keys, by the normalised names (see `normalName`) of variables in other tools. */
export type Mapping = ReadonlyMap<string, string>;

const ours = [...Object.keys(keys), ...Object.keys(secretKeys)];

const byHeader = new Map<string, string>(Object.values(headers).map(({ name, key }) => [normalName(name), key]));

/** The keys of addresses, by usual names of variables in applications: FRIENDS_URL, GAME_DESIGN_BASE_URL, FEATURE_TOGGLES_URL. */
const byArea = new Map<string, string>(
  areaIds.flatMap((area) =>
    [area, areas[area].title].flatMap((name) =>
      ['URL', 'BASE_URL'].map((end) => [`${normalName(name)}_${end}`, areas[area].addressKey] as const),
    ),
  ),
);

/**
 * Sextant's key for a variable of another tool. Looks for the variable's name, in any spelling, in `mapping`, then among the keys, headers
 * and areas.
 */
export function ourKey(name: string, mapping: Mapping = new Map()): string | undefined {
  const wanted = normalName(name);
  return mapping.get(wanted) ?? ours.find((key) => key === wanted) ?? byHeader.get(wanted) ?? byArea.get(wanted);
}

/** Suggests a key with a similar spelling, and the option that imports the variable under that key. */
function suggestion(name: string): string {
  const [, key] = /did you mean (\w+)/.exec(didYouMean(name, Object.keys(keys), 2)) ?? [];
  return key === undefined ? '' : ` (did you mean ${key}? --map ${quoted(name)}=${key})`;
}

/** Quotes a name for a shell. */
function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", '')}'`;
}

/** Normalises a name: FRIEND_URL for friend_url, friend-url, friendUrl and "Friend URL". */
export function normalName(name: string): string {
  return name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
}

/**
 * Parses the `theirs=OURS` arguments of `--map`.
 * @throws ConfigurationError with every argument that is wrong
 */
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
