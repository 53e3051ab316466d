import { whyNotAllowed } from '../../call/index.ts';
import type { Environment } from '../../environment/index.ts';
import { didYouMean } from '../../environment/sentence-parts.ts';
import { canRestore } from '../../safety/index.ts';
import { type AreaId, areaIds, type Effect, effects } from '../../service/index.ts';
import { type SkipCategory, SpecMistake, SuiteError } from '../../verdict/index.ts';

/** The tag of a scenario that overwrites only the profile, which can be restored if it can be read. */
export const RESTORABLE = '@restorable';

const areaTags = ['@all', ...areaIds.map((id) => `@${id}`)];
const effectTags = effects.map((effect) => `@${effect}`);
const knownTags = [...areaTags, ...effectTags, RESTORABLE];

export interface Tagged {
  readonly area: AreaId | 'all';
  readonly effect: Effect;
}

/** The area and the effect by list of tags. They are kept, because a run reads the tags of each scenario about ten times. */
const tagged = new WeakMap<readonly string[], Tagged>();

/** The area and the effect in a scenario's tags; a team may add tags of other names. @throws SpecMistake */
export function readTags(title: string, tags: readonly string[]): Tagged {
  const known = tagged.get(tags);
  if (known) return known;
  const [area, ...otherAreas] = signed(tags).filter((tag) => areaTags.includes(tag));
  const [effect, ...otherEffects] = signed(tags).filter((tag) => effectTags.includes(tag));
  if (!area || !effect || otherAreas.length + otherEffects.length > 0)
    throw new SpecMistake(tagProblems(title, tags).join('; '));
  const read = { area: area.slice(1) as Tagged['area'], effect: effect.slice(1) as Effect };
  tagged.set(tags, read);
  return read;
}

/** Adds the `@` to tags that lack it: labels of the report are tags without it. */
function signed(tags: readonly string[]): string[] {
  return tags.map((tag) => tag.replace(/^@?/, '@'));
}

/** Everything that is wrong with a scenario's tags. */
export function tagProblems(title: string, tags: readonly string[]): string[] {
  const shown = tags.join(' ');
  const given = signed(tags);
  const areas = given.filter((tag) => areaTags.includes(tag));
  const graves = given.filter((tag) => effectTags.includes(tag));
  const others = given.filter((tag) => !knownTags.includes(tag));
  const hint = (wanted: readonly string[]) => others.map((tag) => didYouMean(tag, wanted)).find(Boolean) ?? '';
  const problems: string[] = [];
  if (areas.length === 0)
    problems.push(
      `"${title}" has no area among its tags (${shown})${hint(areaTags)}; tag it with one of ${areaTags.join(', ')}`,
    );
  if (areas.length > 1) problems.push(`"${title}" is tagged with several areas (${shown}); leave one, or tag it @all`);
  if (graves.length === 0)
    problems.push(
      `"${title}" has no effect among its tags (${shown})${hint(effectTags)}; tag it with the gravest effect of its operations: ${effectTags.join(', ')}`,
    );
  if (graves.length > 1)
    problems.push(
      `"${title}" is tagged with an effect more than once (${shown}); leave the gravest effect of its operations`,
    );
  // If the area or the effect is missing, a problem above has named the misspelt tag already.
  const misspelt = areas.length > 0 && graves.length > 0 && others.find((tag) => didYouMean(tag, knownTags) !== '');
  if (misspelt)
    problems.push(
      `"${title}" has the unknown tag ${misspelt}${didYouMean(misspelt, knownTags)}; correct it, or give a tag of your team a name that is less like it`,
    );
  return problems;
}

/**
 * The names in the first parameter of a scenario's body, a destructuring pattern as in Playwright. `undefined` for any other parameter, and
 * for a pattern with defaults or a rest element.
 */
export function namesTaken(body: unknown): string[] | undefined {
  const source = String(body);
  const [, pattern] = /^[^(=]*\(\s*\{([^}]*)\}/.exec(source) ?? [];
  if (pattern === undefined && !/^[^(=]*\(\s*\)/.test(source)) return undefined;
  const names = (pattern ?? '')
    .split(',')
    .map((part) => part.split(':')[0]?.trim() ?? '')
    .filter(Boolean);
  return names.some((name) => /^\.\.\.|=/.test(name)) ? undefined : names;
}

/** The environment doesn't allow a scenario, or lacks its data, so the scenario is skipped with this reason. */
export class Skipped extends SuiteError {
  override readonly name = 'Skipped';
  readonly category: SkipCategory;

  constructor(reason: string, category: SkipCategory = 'no-data') {
    super(reason);
    this.category = category;
  }
}

export function whySkipped(title: string, tags: readonly string[], environment: Environment): Skipped | undefined {
  const { effect } = readTags(title, tags);
  if (effect === 'overwriting' && tags.includes(RESTORABLE) && canRestore(environment)) return undefined;
  const isKept = environment.keepsItems && effect === 'irreversible';
  const reason = isKept ? 'KEEP_ITEMS=yes' : whyNotAllowed(effect, environment.allowedEffects);
  return reason === undefined ? undefined : new Skipped(`not allowed in ${environment.name}: ${reason}`, 'not-allowed');
}
