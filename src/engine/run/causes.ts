import { excerpt, type Grade, gradeTable, type Verdict, verdicts } from '../../client/index.ts';
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

/** How much of an error's body is shown, in characters: the body mostly explains the failure. */
const BODY = 160;

/** From so many operations on that end the same way, the area is the cause, and not each operation. */
const OPERATIONS_OF_AREA = 3;

/** By operation, whether it ever gave a response that was no server error. */
export type Worked = Readonly<Partial<Record<CallableId, boolean>>>;

interface Ended {
  readonly operation: CallableId;
  readonly status?: number;
  readonly response?: { readonly status: number };
}

export function workedOf(calls: readonly Ended[]): Worked {
  const worked: Partial<Record<CallableId, boolean>> = {};
  for (const { operation, response, status = response?.status ?? 500 } of calls)
    worked[operation] = worked[operation] === true || status < 500;
  return worked;
}

/** The part of a result from which causes are taken. Without `worked`, no area counts as down as a whole. */
interface Ending {
  readonly environment: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly failures?: readonly Failure[];
  readonly worked?: Worked;
}

/** The causes of all that fell short or could not be judged, the gravest and best founded first. What merely follows stands under its cause. */
export function causesOf(results: readonly Ending[]): Cause[] {
  return [...Map.groupBy(results, ({ environment }) => environment).values()].flatMap(causesIn);
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

function causesIn(results: readonly Ending[]): Cause[] {
  const worked = results.flatMap((each) => each.worked ?? []);
  const described = results.flatMap(({ environment, title, verdict, reason = '', failures }) => {
    const { ran, exitCode } = verdicts[verdict];
    if (!ran || exitCode === 0) return [];
    const all: readonly Failure[] = failures ?? [{ verdict, category: verdict, reason }];
    return all.map((each) => {
      const failure = { ...each, environment, title };
      return { failure, description: describeFailure(failure), follows: false };
    });
  });
  const joined = joinedByCredential(joinedByStranger(joinedByChange(described)));
  const met = joinedByArea(joinedByMistake(joinedByOutage(underOthers(joined), worked)));
  const groups = Map.groupBy(met, ({ description }) => description.key).values();
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

/** Puts those with one key together, where `widen` has one description for all of them; without a key a failure stays as it is. */
function joinedBy<K extends string>(
  met: readonly Met[],
  keyOf: (each: Met) => K | undefined,
  widen: (group: readonly Met[], key: K) => Joined | undefined,
): Met[] {
  const groups = [...Map.groupBy(met, keyOf)];
  const descriptions = new Map(groups.map(([key, group]) => [key, key && widen(group, key)]));
  return met.map((each) => {
    const found = descriptions.get(keyOf(each));
    if (!found) return each;
    // A wider cause describes all its failures, so the ending of each is dropped.
    const { ending: _, isRefusal: __, ...description } = each.description;
    return { ...each, description: { ...description, ...found } };
  });
}

type Joined = Pick<Description, 'says' | 'key'> & Partial<Pick<Description, 'isWide' | 'isWhole'>>;

function operationsIn(group: readonly Met[]): CallableId[] {
  return [...new Set(group.flatMap(({ description: { operation = [] } }) => operation))];
}

/** Several lists may not show the same change. */
function joinedByChange(met: readonly Met[]): Met[] {
  return joinedBy(
    met,
    ({ failure: { unseen, stranger } }) => (stranger ? undefined : unseen?.change),
    (group, change) => {
      const lists = new Set(group.flatMap(({ failure }) => failure.unseen?.list ?? []));
      return { key: `unseen ${change}`, says: unseenText(change, [...lists].sort()) };
    },
  );
}

/** If the service takes the friend for another user, all requests of the friend fail for this one cause. */
function joinedByStranger(met: readonly Met[]): Met[] {
  const stranger = met.find(({ failure }) => failure.stranger !== undefined)?.failure.stranger;
  const isAnswered = ({ call }: FailedTest) => call?.status !== undefined && call.status < 500;
  return met.map((each) =>
    stranger !== undefined && each.failure.isFriends && isAnswered(each.failure)
      ? { ...each, description: describeStranger(stranger) }
      : each,
  );
}

/** A credential that several areas refuse, or that was refused so often that it is no longer sent, is the cause of all its refusals. */
function joinedByCredential(met: readonly Met[]): Met[] {
  return joinedBy(
    met,
    ({ failure }) => failure.credential,
    (group, credential) => {
      const refusals = group.map(({ failure: { call, refused }, description: { area } }) => ({
        statuses: [call?.status ?? [], refused?.statuses ?? []].flat(),
        areas: [area ?? [], refused?.areas ?? []].flat(),
      }));
      const areas = [...new Set(refusals.flatMap((each) => each.areas))];
      const [area] = areas;
      if (!area || (areas.length < 2 && !group.some(({ failure }) => failure.refused))) return undefined;
      const statuses = [...new Set(refusals.flatMap((each) => each.statuses))].sort().join(', ');
      const where = areas.length === 1 ? `at ${areaTitle(area)}` : `in ${areas.length} areas`;
      return { key: `credential ${credential}`, says: `${credential} is refused (${statuses}) ${where}`, isWide: true };
    },
  );
}

/** Puts what needed something that failed under that, if this run shows it. */
function underOthers(met: readonly Met[]): Met[] {
  return met.map(({ failure, description }) => {
    const { needs } = description;
    const broken = needs && met.find((other) => !other.description.needs && other.description.operation === needs);
    if (broken) return { failure, description: broken.description, follows: true };
    return { failure, description, follows: needs === 'credentials' || failure.merely !== undefined };
  });
}

/** An area is down as a whole where several of its operations were called and none worked; areas that end alike are one cause. */
function joinedByOutage(met: readonly Met[], worked: readonly Worked[]): Met[] {
  const calls = worked.flatMap((each) => Object.entries(each) as [CallableId, boolean][]);
  const silent = new Map<AreaId, number>();
  for (const [area, of] of Map.groupBy(calls, ([operation]) => callable(operation).area))
    if (!of.some(([, works]) => works)) silent.set(area, new Set(of.map(([operation]) => operation)).size);
  return joinedBy(
    met,
    ({ description: { area, ending, isRefusal } }) => (area && silent.has(area) && !isRefusal ? ending : undefined),
    (group, ending) => {
      // An area of one operation is not down for it alone, but where others are in the same way.
      const isOutage = group.some(({ description: { area } }) => area && (silent.get(area) ?? 0) > 1);
      return isOutage ? { key: `outage ${ending}`, says: ending, isWhole: true } : undefined;
    },
  );
}

/** For operations that end so for nothing but one kind of invalid input: their framework has it, and not each operation. */
function joinedByMistake(met: readonly Met[]): Met[] {
  const mistakeOf = ({ failure: { title } }: Met) => / handles (.+)$/.exec(title)?.[1];
  const ends = ({ description: { operation, ending } }: Met) => `${operation} ${ending}`;
  const otherwise = new Set(met.filter((each) => mistakeOf(each) === undefined).map(ends));
  return joinedBy(
    met,
    (each) => {
      const { ending } = each.description;
      const mistake = mistakeOf(each);
      return mistake && ending && !otherwise.has(ends(each)) ? `${ending} to ${mistake}` : undefined;
    },
    (group, ending) => {
      const names = operationsIn(group);
      if (names.length < 2) return undefined;
      const who = names.length > OPERATIONS_OF_AREA ? `${names.length} operations` : listed(names);
      return { key: `mistake ${ending}`, says: `${who} ${inPlural(ending)}` };
    },
  );
}

/** Gives one description to the operations of an area that end the same way, if there are enough. */
function joinedByArea(met: readonly Met[]): Met[] {
  return joinedBy(
    met,
    ({ description: { area, ending } }) => ending && `${area} ${ending}`,
    (group, key) => {
      const [{ description }] = group as [Met];
      const names = operationsIn(group);
      if (names.length < (description.isRefusal ? 2 : OPERATIONS_OF_AREA)) return undefined;
      return { key, says: `${listed(names)} ${inPlural(description.ending ?? '')}` };
    },
  );
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
    /** The beginning of the error's body. */
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
