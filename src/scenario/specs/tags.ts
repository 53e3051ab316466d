import { type SkipCategory, SpecMistake, SuiteError, whyNotAllowed } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { didYouMean } from '../../config/words.ts';
import { type AreaId, areaIds, type Effect, effects } from '../../spec/index.ts';

/** The tag of a scenario that overwrites only the profile, which can be restored if it can be read. */
export const RESTORABLE = '@restorable';

const areaTags = ['@all', ...areaIds.map((id) => `@${id}`)];
const effectTags = effects.map((effect) => `@${effect}`);
const known = [...areaTags, ...effectTags, RESTORABLE];

export interface Tagged {
  readonly area: AreaId | 'all';
  readonly effect: Effect;
}

/** The area and the effect in a scenario's tags; a team may add tags of other names. @throws SpecMistake */
export function readTags(title: string, tags: readonly string[] | undefined): Tagged {
  if (tags === undefined || tags.length === 0) throw SpecMistake.of('no tags', { title });
  const known = readBefore.get(tags) ?? read(title, tags);
  readBefore.set(tags, known);
  return known;
}

/** A monitor asks for the tags of the same scenarios for as long as it runs. */
const readBefore = new WeakMap<readonly string[], Tagged>();

function read(title: string, tags: readonly string[]): Tagged {
  const shown = { title, tags: tags.join(' ') };
  // Labels of the report are tags without the sign.
  const signed = tags.map((tag) => tag.replace(/^@?/, '@'));
  const areas = signed.filter((tag) => areaTags.includes(tag));
  const graves = signed.filter((tag) => effectTags.includes(tag));
  const others = signed.filter((tag) => !known.includes(tag));
  if (areas.length > 1) throw SpecMistake.of('two area tags', shown);
  if (graves.length > 1) throw SpecMistake.of('two effect tags', shown);
  const [area, effect] = [areas[0], graves[0]];
  if (!area)
    throw SpecMistake.of('no area tag', { ...shown, areas: areaTags.join(', '), hint: hintOf(others, areaTags) });
  if (!effect)
    throw SpecMistake.of('no effect tag', {
      ...shown,
      effects: effectTags.join(', '),
      hint: hintOf(others, effectTags),
    });
  const misspelt = others.find((tag) => didYouMean(tag, known) !== '');
  if (misspelt) throw SpecMistake.of('misspelt tag', { title, tag: misspelt, hint: didYouMean(misspelt, known) });
  return { area: area.slice(1) as Tagged['area'], effect: effect.slice(1) as Effect };
}

function hintOf(tags: readonly string[], wanted: readonly string[]): string {
  return tags.map((tag) => didYouMean(tag, wanted)).find(Boolean) ?? '';
}

/** From the first parameter, a literal destructuring pattern as for Playwright's fixtures. @throws SpecMistake */
export function takenNames(title: string, body: unknown): string[] {
  if (typeof body !== 'function') throw SpecMistake.of('no body', { title });
  const source = Function.prototype.toString.call(body);
  const [, pattern] = /^[^(=]*\(\s*\{([^}]*)\}/.exec(source) ?? [];
  if (pattern === undefined && !/^[^(=]*\(\s*\)/.test(source)) throw SpecMistake.of('no names taken', { title });
  const names = (pattern ?? '')
    .split(',')
    .map((part) => part.split(':')[0]?.trim() ?? '')
    .filter(Boolean);
  if (names.some((name) => /^\.\.\.|=/.test(name))) throw SpecMistake.of('no names taken', { title });
  return names;
}

/** The environment doesn't allow a scenario or lacks data for it: it is skipped, with the reason. */
export class Skipped extends SuiteError {
  override readonly name = 'Skipped';
  readonly category: SkipCategory;

  constructor(reason: string, category: SkipCategory = 'no-data') {
    super(reason);
    this.category = category;
  }
}

export function canRestore({ allowedEffects, readProfile }: Environment): boolean {
  return allowedEffects.has('reversible') && readProfile !== undefined;
}

export function whySkipped(title: string, tags: readonly string[], environment: Environment): Skipped | undefined {
  const { effect } = readTags(title, tags);
  if (effect === 'overwriting' && tags.includes(RESTORABLE) && canRestore(environment)) return undefined;
  const reason = whyNotAllowed(effect, environment.allowedEffects);
  return reason === undefined ? undefined : new Skipped(`not allowed in ${environment.name}: ${reason}`, 'not-allowed');
}
