import { areaIds, areas, headers } from '../../spec/index.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { didYouMean } from '../did-you-mean.ts';
import { keys, secretKeys } from '../keys/keys.ts';

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

/**
 * `theirs=OURS` words of `--map`.
 * @throws ConfigurationError with all words that are wrong.
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
