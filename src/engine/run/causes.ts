import { excerpt, type Grade, gradeTable, verdicts } from '../../client/index.ts';
import { counted, listed } from '../../config/index.ts';
import { type AreaId, areaIds, areaTitle, type CallableId, callable } from '../../spec/index.ts';
import { type Description, describeFailure, describeStranger, unseenText } from './describe-failure.ts';
import type { Failure } from './failure.ts';

/** A failure of one test or scenario in one environment. A test may have several. */
export interface FailedTest extends Failure {
  readonly environment: string;
  readonly title: string;
}

export type Cause = ReturnType<typeof causeOf>;

interface Met {
  readonly failure: FailedTest;
  readonly description: Description;
  readonly follows: boolean;
}

/** How much of an error's body is shown, in characters: it mostly explains the rest. */
const BODY = 160;

/** From so many operations on that end the same way, the area is the cause, and not each operation. */
const OPERATIONS_OF_AREA = 3;

/** By operation, whether it ever gave a response that was no server error. */
export type Worked = Readonly<Partial<Record<CallableId, boolean>>>;

export function workedOf(calls: readonly { readonly operation: CallableId; readonly status?: number }[]): Worked {
  const worked: Partial<Record<CallableId, boolean>> = {};
  for (const { operation, status = 500 } of calls) worked[operation] = worked[operation] === true || status < 500;
  return worked;
}

/**
 * The causes of all failures of a run, the gravest and best founded first. What merely follows stands under its cause. `worked` is what all its
 * tests tell, by environment; without it no area is taken for down as a whole.
 */
export function causesOf(
  failures: readonly FailedTest[],
  worked: ReadonlyMap<string, readonly Worked[]> = new Map(),
): Cause[] {
  const byEnvironment = [...Map.groupBy(failures, ({ environment }) => environment)];
  return byEnvironment.flatMap(([environment, all]) => causesIn(all, worked.get(environment) ?? []));
}

/** A cause with the number of its tests: `Friends: unblock answers 500 (14 tests)`. */
export function causeLine({ sentence, tests }: Pick<Cause, 'sentence' | 'tests'>, noun = 'test'): string {
  return `${sentence} (${counted(tests.length, noun)})`;
}

/** What merely follows, for the line below a cause; empty if nothing does. */
export function followsLine({ tests, follows }: Pick<Cause, 'tests' | 'follows'>): string {
  if (follows.length === 0) return '';
  const count = follows.length === tests.length ? 'all of them' : `${follows.length} of them`;
  return `${count} only in clean-up, or because it kept them from starting`;
}

function causesIn(failures: readonly FailedTest[], worked: readonly Worked[]): Cause[] {
  const described = failures.map((failure) => ({ failure, description: describeFailure(failure) }));
  const met = underOthers(joinedByCredential(joinedByStranger(joinedByChange(described))));
  const joined = joinedByArea(joinedByMistake(joinedByOutage(met, worked)));
  const groups = Map.groupBy(joined, ({ description }) => description.key).values();
  // What reads the same is one cause for a person: several fields of one response, for example.
  const alike = Map.groupBy(groups, (group) => causeOf(group).sentence).values();
  return [...alike]
    .map((same) => causeOf(same.flat()))
    .sort(
      (a, b) =>
        verdicts[b.verdict].severity - verdicts[a.verdict].severity ||
        rankOf(a.grade) - rankOf(b.grade) ||
        b.tests.length - a.tests.length ||
        a.sentence.localeCompare(b.sentence),
    );
}

type Described = Pick<Met, 'failure' | 'description'>;

/** Several lists may not show the same change. */
function joinedByChange(described: readonly Described[]): Described[] {
  const byChange = Map.groupBy(described, ({ failure }) => failure.unseen?.change);
  return described.map((each) => {
    const change = each.failure.unseen?.change;
    if (change === undefined || each.failure.stranger) return each;
    const lists = new Set((byChange.get(change) ?? []).flatMap(({ failure }) => failure.unseen?.list ?? []));
    return { ...each, description: { ...each.description, says: unseenText(change, [...lists].sort()) } };
  });
}

/** Whatever the friend does goes wrong where the service takes the friend for somebody else. */
function joinedByStranger(described: readonly Described[]): Described[] {
  const found = described.find(({ failure }) => failure.stranger !== undefined)?.failure.stranger;
  if (found === undefined) return [...described];
  return described.map((each) => {
    const { isFriends, call } = each.failure;
    const isAnswered = call?.status !== undefined && call.status < 500;
    return isFriends && isAnswered ? { ...each, description: describeStranger(found) } : each;
  });
}

/** A credential that several areas refuse, or that was refused so often that it is no longer sent, is the cause of all its refusals. */
function joinedByCredential(described: readonly Described[]): Described[] {
  const byKey = Map.groupBy(described, ({ failure }) => failure.credential);
  return described.map((each) => {
    const { credential } = each.failure;
    const of = (credential && byKey.get(credential)) ?? [];
    const areas = new Set(
      of.flatMap(({ description: { area }, failure: { refused } }) => [
        ...(area ? [area] : []),
        ...(refused?.areas ?? []),
      ]),
    );
    if (!credential || (areas.size < 2 && !of.some(({ failure }) => failure.merely === 'not tried'))) return each;
    const statuses = of.flatMap(({ failure: { call, refused } }) =>
      [call?.status ?? [], refused?.statuses ?? []].flat(),
    );
    const where = areas.size === 1 ? `at ${areaTitle([...areas][0] as AreaId)}` : `in ${areas.size} areas`;
    const says = `${credential} is refused (${[...new Set(statuses)].sort().join(', ')}) ${where}`;
    const { area, needs } = each.description;
    const description = { key: `credential ${credential}`, says, isWide: true as const };
    return { ...each, description: { ...description, ...(area ? { area } : {}), ...(needs ? { needs } : {}) } };
  });
}

/** Puts what needed something that failed under that, if this run shows it. */
function underOthers(met: readonly Pick<Met, 'failure' | 'description'>[]): Met[] {
  const withheld = met.find(({ description: { needs } }) => needs === 'credentials');
  return met.map(({ failure, description }) => {
    const { needs } = description;
    // The message of what was not tried names the credential, and every place that refused it.
    if (withheld && failure.verdict === 'refused' && failure.credential === withheld.failure.credential)
      return { failure, description: withheld.description, follows: needs === 'credentials' };
    const broken = needs && met.find((other) => !other.description.needs && other.description.operation === needs);
    if (broken) return { failure, description: broken.description, follows: true };
    return { failure, description, follows: failure.merely !== undefined };
  });
}

/** An area is down as a whole where several of its operations were called and none worked; areas that end alike are one cause. */
function joinedByOutage(met: readonly Met[], worked: readonly Worked[]): Met[] {
  const calls = worked.flatMap((each) => Object.entries(each) as [CallableId, boolean][]);
  const silent = new Map<AreaId, number>();
  for (const [area, of] of Map.groupBy(calls, ([operation]) => callable(operation).area))
    if (!of.some(([, works]) => works)) silent.set(area, new Set(of.map(([operation]) => operation)).size);
  const endingOf = ({ description: { area, ending, isRefusal } }: Met) =>
    area && silent.has(area) && !isRefusal ? ending : undefined;
  // An area of one operation is not down for it alone, but where others are in the same way.
  const outages = new Set(
    met.flatMap((each) => {
      const { area } = each.description;
      return area && (silent.get(area) ?? 0) > 1 ? (endingOf(each) ?? []) : [];
    }),
  );
  return met.map((each) => {
    const ending = endingOf(each);
    if (ending === undefined || !outages.has(ending)) return each;
    const { area, needs } = each.description;
    const description = { key: `outage ${ending}`, says: ending, isWhole: true as const };
    return { ...each, description: { ...description, ...(area ? { area } : {}), ...(needs ? { needs } : {}) } };
  });
}

/** For operations that end so for nothing but one kind of invalid input: their framework has it, and not each operation. */
function joinedByMistake(met: readonly Met[]): Met[] {
  const mistakeOf = ({ failure: { title } }: Met) => / handles (.+)$/.exec(title)?.[1];
  const ends = ({ description: { operation, ending } }: Met) => `${operation} ${ending}`;
  const otherwise = new Set(met.filter((each) => mistakeOf(each) === undefined).map(ends));
  const alike = Map.groupBy(met, (each) => {
    const mistake = mistakeOf(each);
    const { ending } = each.description;
    return mistake && ending && !otherwise.has(ends(each)) ? `${ending} to ${mistake}` : '';
  });
  return [...alike].flatMap(([ending, of]) => {
    const names = [...new Set(of.flatMap(({ description: { operation = [] } }) => operation))];
    if (ending === '' || names.length < 2) return of;
    const who = names.length > OPERATIONS_OF_AREA ? `${names.length} operations` : listed(names);
    const says = `${who} ${inPlural(ending)}`;
    return of.map((each) => {
      const { ending: _, ...description } = each.description;
      return { ...each, description: { ...description, key: `mistake ${ending}`, says } };
    });
  });
}

/** Gives one description to the operations of an area that end the same way, if there are enough. */
function joinedByArea(met: readonly Met[]): Met[] {
  const keyOf = ({ description: { area, ending } }: Met) => (ending === undefined ? '' : `${area} ${ending}`);
  const alike = Map.groupBy(met, keyOf);
  const operations = new Map(
    [...alike].map(([key, of]) => [key, [...new Set(of.flatMap(({ description: { operation = [] } }) => operation))]]),
  );
  return met.map((each) => {
    const { ending, isRefusal } = each.description;
    const names = operations.get(keyOf(each)) ?? [];
    const least = isRefusal ? 2 : OPERATIONS_OF_AREA;
    if (ending === undefined || names.length < least) return each;
    const says = `${listed(names)} ${inPlural(ending)}`;
    return { ...each, description: { ...each.description, key: keyOf(each), says } };
  });
}

/** `answers 502` of several. */
function inPlural(ending: string): string {
  return ending.replace(/^(\w+)s /, '$1 ');
}

/** What one or more tests failed for. */
function causeOf(met: readonly Met[]) {
  const direct = met.filter(({ follows }) => !follows);
  const [{ failure: example, description }] = [...direct, ...met] as [Met, ...Met[]];
  const titles = (of: readonly Met[]) => of.map(({ failure }) => failure.title);
  const own = new Set(titles(direct));
  const tests = [...own.union(new Set(titles(met)))];
  const [grade] = met.flatMap(({ failure }) => failure.grade ?? []).sort((a, b) => rankOf(a) - rankOf(b));
  const reached = new Set(met.flatMap(({ description: { area } }) => area ?? []));
  const areas: readonly AreaId[] = areaIds.filter((area) => reached.has(area));
  const { status = 0, body: text = '' } = example.call ?? {};
  const body = status >= 400 ? excerpt(text.trim(), BODY) : '';
  return {
    environment: example.environment,
    /** Without a number: `Friends: unblock answers 500`. */
    sentence: sentenceOf(description, areas),
    /** What the service said of it. */
    ...(body ? { body } : {}),
    verdict: example.verdict,
    /** The weightiest among the broken expectations. */
    ...(grade ? { grade } : {}),
    areas,
    operations: [...new Set(met.flatMap(({ failure }) => failure.call?.operation ?? []))] as readonly CallableId[],
    /** Titles, those first that failed in what they test. */
    tests,
    /** Those of them that merely follow: their clean-up failed, or they could not start or be judged for it. */
    follows: tests.filter((title) => !own.has(title)),
    example,
  };
}

function sentenceOf({ says, isWide, isWhole }: Description, areas: readonly AreaId[]): string {
  if (isWide) return says;
  const titles = areas.map(areaTitle);
  if (!isWhole) return [titles.join(', '), says].filter(Boolean).join(': ');
  if (titles.length === 1) return `${titles[0]} ${says}`;
  return `${titles.length > OPERATIONS_OF_AREA ? `${titles.length} areas` : listed(titles)} ${inPlural(says)}`;
}

/** The weightiest grade has the lowest rank. */
function rankOf(grade: Grade | undefined): number {
  const grades = Object.keys(gradeTable);
  return grade === undefined ? grades.length : grades.indexOf(grade);
}
