import { counted, listed } from '../../environment/index.ts';
import { type AreaId, areaIds, areaTitle, type CallableId, callable } from '../../service/index.ts';
import { ACCEPTS, excerpt, type Failure, type Grade, gradeTable, type Verdict, verdicts } from '../../verdict/index.ts';
import { sentenceOf } from './cause.ts';
import { type Description, describeFailure } from './describe-failure.ts';

/** One failure of a test or scenario in one environment. A test may have several failures. */
export interface FailedTest extends Failure {
  readonly environment: string;
  readonly title: string;
}

/** The cause of one or more failed tests of a run. */
export type CauseInRun = ReturnType<typeof causeOf>;

interface Met extends Description {
  readonly failure: FailedTest;
  /** True if only clean-up failed, or if another failure kept the scenario from starting or being judged. */
  readonly follows: boolean;
}

/** Maximum length of the shown part of an error response's body, in characters. The body mostly explains the failure. */
const BODY = 160;

/** Minimum number of operations of an area that become one cause if they end the same way. */
const OPERATIONS_OF_AREA = 3;

/** Maximum number of broken expectations that the sentence on an operation names. */
const CLAIMS_SHOWN = 2;

/** Statuses with which services refuse an id that they don't know. */
const OF_WHAT_IS_GONE: ReadonlySet<number | undefined> = new Set([400, 404, 410, 422]);

interface Ended {
  readonly operation: CallableId;
  readonly status?: number;
  readonly response?: { readonly status: number };
}

/** The areas with at least one response that was no server error. */
export function workingAreas(calls: readonly Ended[]): AreaId[] {
  const worked = calls.filter(({ response, status = response?.status ?? 500 }) => status < 500);
  return [...new Set(worked.map(({ operation }) => callable(operation).area))];
}

/** The part of a result from which the causes are derived. */
interface Ending {
  readonly environment: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly failures?: readonly Failure[];
  /** The areas that gave a response other than a server error. If absent, they are unknown, and no area counts as down as a whole. */
  readonly working?: readonly AreaId[];
  /**
   * The keys of the credentials that the service accepted. If absent, they are unknown, and each operation that refuses a credential is a separate
   * cause.
   */
  readonly accepted?: readonly string[];
}

/**
 * The credentials that the service has accepted so far in a run, because one test alone may not show whether its operation or its credential broke.
 */
export class AcceptedSoFar {
  readonly #by = new Map<string, Set<string>>();

  withEarlier<T extends Pick<Ending, 'environment' | 'accepted'>>(ending: T): T & { readonly accepted: string[] } {
    const accepted = (this.#by.get(ending.environment) ?? new Set()).union(new Set(ending.accepted));
    this.#by.set(ending.environment, accepted);
    return { ...ending, accepted: [...accepted] };
  }
}

/**
 * The causes of all failed and unjudged results, the gravest and best founded first. Failures that merely follow from another failure are listed
 * under the cause of that failure.
 */
export function causesOf(results: readonly Ending[]): CauseInRun[] {
  return [...Map.groupBy(results, ({ environment }) => environment).values()].flatMap(causesIn);
}

/** A cause with the number of its tests: `Friends: unblock answers 500 (14 tests)`. */
export function causeLine({ sentence, tests }: Pick<CauseInRun, 'sentence' | 'tests'>, noun = 'test'): string {
  return `${sentence} (${counted(tests.length, noun)})`;
}

/** The lines below the line of a cause: the error's body, the drift, how many tests merely follow, and what to do. */
export function causeDetails(cause: CauseInRun): string[] {
  const { tests, follows, cure, body, evidence } = cause;
  const count = follows.length === tests.length ? 'all of them' : `${follows.length} of them`;
  const following = follows.length > 0 && `${count} failed only in clean-up, or could not start because of this`;
  const last = [following, cure].filter(Boolean).join('; ');
  return [body, ...evidence, last].flatMap((line) => line || []);
}

function causesIn(results: readonly Ending[]): CauseInRun[] {
  const all = results.flatMap(({ environment, title, verdict, reason = '', failures }): Met[] => {
    if (!verdicts[verdict].isRed) return [];
    const own: readonly Failure[] = failures ?? [{ verdict, category: verdict, reason }];
    return own.map((each) => {
      return { ...describeFailure(each), failure: { ...each, environment, title }, follows: each.merely !== undefined };
    });
  });
  const run: JoinedRun = {
    working: new Set(results.flatMap((each) => each.working ?? areaIds)),
    stranger: all.find(({ failure }) => failure.stranger)?.failure.stranger,
    endingsOfValid: new Set(all.filter(({ failure }) => !failure.isInvalid).map(endOf)),
    accepted: new Set(results.flatMap(({ accepted = [] }) => accepted)),
    isAcceptanceKnown: results.every(({ accepted }) => accepted !== undefined),
  };
  const met = joiningRules.reduce<readonly Met[]>((before, rule) => joined(before, rule, run), all);
  const groups = Map.groupBy(underOthers(met), ({ key }) => key).values();
  // Readers can't distinguish causes with the same sentence (several fields of one response, for example), so these are joined.
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

/** The facts about a run that decide which of its failures are joined. */
interface JoinedRun {
  readonly working: ReadonlySet<AreaId>;
  /** The user for whom the service mistakes the friend. */
  readonly stranger: string | undefined;
  /** How operations failed for valid requests, in the form of `endOf`. */
  readonly endingsOfValid: ReadonlySet<string>;
  /** The keys of the credentials that the service accepted in the run, as far as the results have them. */
  readonly accepted: ReadonlySet<string>;
  readonly isAcceptanceKnown: boolean;
}

/** A rule that joins failures with the same cause, though each failure describes the cause in its own words. */
interface JoiningRule {
  /** Failures with the same key are joined; a failure without a key stays as it is. */
  keyOf(each: Met, run: JoinedRun): string | undefined;
  /** One description for all failures of a group; `undefined` if the group isn't enough evidence of one cause. */
  widen(group: readonly Met[], key: string, run: JoinedRun): Partial<Description> | undefined;
}

function joined(met: readonly Met[], { keyOf, widen }: JoiningRule, run: JoinedRun): Met[] {
  const groups = Map.groupBy(met, (each) => keyOf(each, run));
  const widened = new Map([...groups].map(([key, group]) => [key, key && widen(group, key, run)]));
  return met.map((each) => {
    const wider = widened.get(keyOf(each, run));
    return wider ? { ...each, ending: undefined, ...wider, key: `${wider.says ?? keyOf(each, run)}` } : each;
  });
}

const endOf = ({ name, ending }: Met) => `${name} ${ending}`;
const operationsIn = (group: readonly Met[]) => [...new Set(group.flatMap(({ name }) => name ?? []))];
const areasIn = (group: readonly Met[]) => new Set(group.flatMap(({ areas = [] }) => areas));

/** The rules in the order in which they are applied. A joined failure has no `ending` any more, so a later rule that needs one ignores it. */
const joiningRules: readonly JoiningRule[] = [
  // Several lists that don't show the same change: the change is the cause.
  {
    keyOf: ({ failure }) => failure.unseen?.change,
    widen: (group, change) => {
      const lists = new Set(group.flatMap(({ failure }) => failure.unseen?.list ?? []));
      return { says: `${change} is accepted and never shows in ${listed([...lists].sort())}` };
    },
  },
  // Operations that refuse a value which the team configured, probably because it is gone.
  {
    keyOf: ({ ending, failure: { given, call, isInvalid } }) => {
      const isUnknown = OF_WHAT_IS_GONE.has(call?.status) && !isInvalid && ending !== ACCEPTS;
      return given && isUnknown ? `${call?.status} for ${given}` : undefined;
    },
    widen: (group, refused) => {
      const names = operationsIn(group);
      return names.length > 1 ? { says: `${listed(names)} answer ${refused}, which may no longer exist` } : undefined;
    },
  },
  // An operation that accepts several requests that it must refuse.
  {
    keyOf: ({ name, failure: { ending } }) => (ending === ACCEPTS ? name : undefined),
    widen: (group, name) => {
      const claims = [...new Set(group.flatMap(({ failure: { claim } }) => (claim ? `“${claim}”` : [])))];
      const [shown, more] = [claims.slice(0, CLAIMS_SHOWN), claims.length - CLAIMS_SHOWN];
      return { says: `${name} ${ACCEPTS}: ${listed([...shown, ...(more > 0 ? [`${more} more`] : [])])}` };
    },
  },
  // If the service mistakes the friend for another user, all requests of the friend fail for this one cause.
  {
    keyOf: ({ failure: { isFriends, call } }, { stranger }) =>
      isFriends && (call?.status ?? 500) < 500 ? stranger : undefined,
    widen: (_, user) => ({
      kind: 'unjudged',
      says: `the service takes the friend's requests for those of ${user}; check FRIEND_ACCESS_TOKEN`,
    }),
  },
  // A credential that several areas refuse, that no operation accepts, or that the suite no longer sends after its refusals.
  {
    keyOf: ({ failure }) => failure.credential,
    widen: (group, credential, { accepted, isAcceptanceKnown }) => {
      const areas = areasIn(group).union(new Set(group.flatMap(({ failure: { refused } }) => refused?.areas ?? [])));
      const isRefused = isAcceptanceKnown && !accepted.has(credential);
      const isSent = !group.some(({ failure }) => failure.refused);
      if (areas.size === 0 || (areas.size === 1 && isSent && !isRefused)) return undefined;
      const answers = group.flatMap(({ failure: { call, refused } }) => [call?.status ?? [], refused?.statuses ?? []]);
      const statuses = [...new Set(answers.flat())].sort().join(', ');
      const refusing = [...operationsIn(group), ...group.flatMap(({ failure }) => failure.refused?.operations ?? [])];
      const [operation, ...others] = new Set(refusing);
      // If only one operation refused the credential and others accepted it, the operation is the cause.
      if (operation && others.length === 0 && areasIn(group).size > 0 && accepted.has(credential))
        return { kind: 'operation', says: `${operation} answers ${statuses} to our ${credential}` };
      return { kind: 'credential', name: credential, code: statuses, areas: inOrder(areas) };
    },
  },
  // Areas in which nothing works. If several areas fail the same way, they are one cause.
  {
    keyOf: ({ areas = [], ending }, { working }) => (areas.some((area) => !working.has(area)) ? ending : undefined),
    widen: (group) => {
      // One failing operation doesn't prove that its area is down, so at least one of the areas must have several.
      const byArea = Map.groupBy(group, ({ areas = [] }) => areas[0]).values();
      return byArea.some((met) => operationsIn(met).length > 1) ? { kind: 'address' } : undefined;
    },
  },
  // Operations that end this way only for invalid input: the cause is their framework, not each operation.
  {
    keyOf: (each, { endingsOfValid }) => (endingsOfValid.has(endOf(each)) ? undefined : each.ending),
    widen: (group, ending) => {
      const names = operationsIn(group);
      if (names.length < 2) return undefined;
      const who = names.length > OPERATIONS_OF_AREA ? `${names.length} operations` : listed(names);
      return { says: `${who} ${inPlural(ending)} to invalid input` };
    },
  },
  // Operations of one area that end the same way, if there are enough.
  {
    keyOf: ({ areas = [], ending }) => ending && `${areas[0]} ${ending}`,
    widen: (group) => {
      const names = operationsIn(group);
      const [{ ending = '' }] = group as [Met];
      return names.length < OPERATIONS_OF_AREA ? undefined : { says: `${listed(names)} ${inPlural(ending)}` };
    },
  },
];

/**
 * If an operation failed in this run, lists two kinds of failures under that failure: those of scenarios that needed the operation, and its drift.
 */
function underOthers(met: readonly Met[]): Met[] {
  return met.map((each) => {
    const { failure, name, follows } = each;
    const { needs = failure.drift ? name : undefined } = failure;
    const isBroken = (one: Failure) =>
      !one.needs && !one.drift && (!failure.drift || (!one.isInvalid && (one.call?.status ?? 0) >= 400));
    const broken = needs && met.find((one) => one.name === needs && isBroken(one.failure));
    return broken ? { ...broken, failure, follows: follows || failure.needs !== undefined } : each;
  });
}

/** Turns `answers 502` into `answer 502`. */
function inPlural(ending: string): string {
  return ending.replace(/^(\w+)s /, '$1 ');
}

/** The cause of one or more failed tests. */
function causeOf(met: readonly Met[]) {
  const direct = met.filter(({ follows }) => !follows);
  const [first] = [...direct.filter(({ failure }) => !failure.drift), ...direct, ...met] as [Met, ...Met[]];
  const { failure: example } = first;
  const titles = (of: readonly Met[]) => of.map(({ failure }) => failure.title);
  // A dead address or provisioner kept all tests from starting. It is chance which tests met it first, so all of them count as its own.
  const isChance = first.kind !== 'operation' && first.kind !== 'credential';
  const own = new Set(
    titles(met.filter(({ follows, failure }) => !follows || (isChance && failure.merely === 'not tried'))),
  );
  const tests = [...own.union(new Set(titles(met)))];
  const [grade] = met.flatMap(({ failure }) => failure.grade ?? []).sort((a, b) => rankOf(a) - rankOf(b));
  const areas = inOrder(new Set(met.flatMap(({ areas = [] }) => areas)));
  const { status = 0, body: text = '' } = example.call ?? example.refused?.call ?? {};
  const body = status >= 400 ? excerpt(text.trim(), BODY) : '';
  const [place] = met.flatMap(({ failure }) => failure.refused?.place ?? []);
  const cure = place ? `check ${place}` : first.cure;
  return {
    environment: example.environment,
    /** The cause without the number of tests: `Friends: unblock answers 500`. */
    sentence: sentenceIn(first, areas),
    /** The beginning of the error response's body. */
    ...(body ? { body } : {}),
    /** The learned answers and shapes that no longer hold, with the new ones. */
    evidence: example.drift
      ? [example.drift.evidence]
      : [...new Set(met.flatMap(({ failure }) => failure.drift?.sentence ?? []))],
    /** A cure for the team, in one sentence. */
    ...(cure ? { cure } : {}),
    verdict: example.verdict,
    /** The weightiest grade of the broken expectations. */
    ...(grade ? { grade } : {}),
    areas,
    operations: [...new Set(met.flatMap(({ failure }) => failure.call?.operation ?? []))] as readonly CallableId[],
    /** Titles of the tests. Those whose own expectation failed come first. */
    tests,
    /** Titles of the tests that merely follow: their clean-up failed, or the cause kept them from starting or being judged. */
    follows: tests.filter((title) => !own.has(title)),
    example,
  };
}

function sentenceIn(cause: Description, areas: readonly AreaId[]): string {
  const { kind, says, asked } = cause;
  if (kind === 'unjudged' || asked) return says;
  if (kind !== 'operation') return sentenceOf([cause], new Set(areas)) ?? says;
  return [areas.map(areaTitle).join(', '), says].filter(Boolean).join(': ');
}

function inOrder(areas: ReadonlySet<AreaId>): readonly AreaId[] {
  return areaIds.filter((area) => areas.has(area));
}

/** The weightiest grade has the lowest rank. */
function rankOf(grade: Grade | undefined): number {
  const grades = Object.keys(gradeTable);
  return grade === undefined ? grades.length : grades.indexOf(grade);
}
