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
  /** True if the failure only follows from another failure: it is in clean-up, or the scenario could not start or be judged. */
  readonly follows: boolean;
}

/** Maximum number of characters of an error response's body in the output. The body often explains the failure. */
const BODY = 160;

/** If at least this many operations of an area end in the same way, they have one cause. */
const OPERATIONS_OF_AREA = 3;

/** Maximum number of broken expectations in the sentence about an operation. */
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
  /** The areas that gave a response other than a server error. If absent, this is unknown, and no area counts as down as a whole. */
  readonly working?: readonly AreaId[];
  /**
   * The keys of the credentials that the service accepted. If absent, this is unknown, and each operation that refuses a credential is a
   * separate cause.
   */
  readonly accepted?: readonly string[];
}

/**
 * Collects the credentials that the service has accepted so far in a run. A refusal in one test doesn't show whether the operation or the
 * credential is broken. The credentials that earlier tests used with success show it.
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
 * The causes of all failed and unjudged results: the gravest verdict first and, within a verdict, the weightiest grade. If a failure merely
 * follows from another failure, its test is listed under the cause of that other failure.
 */
export function causesOf(results: readonly Ending[]): CauseInRun[] {
  return [...Map.groupBy(results, ({ environment }) => environment).values()].flatMap(causesIn);
}

/** A cause with the number of its tests: `Friends: unblock answers 500 (14 tests)`. */
export function causeLine({ sentence, tests }: Pick<CauseInRun, 'sentence' | 'tests'>, noun = 'test'): string {
  return `${sentence} (${counted(tests.length, noun)})`;
}

/**
 * The details below the line of a cause: the error response's body, the drift, the number of tests that failed only because of the cause,
 * and the cure.
 */
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
  // Causes with the same sentence are joined, because readers couldn't distinguish them (several fields of one response, for example).
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

/** The properties of a run that decide which failures have one cause. */
interface JoinedRun {
  readonly working: ReadonlySet<AreaId>;
  /** If the service mistakes the friend for another user: the id of that user. */
  readonly stranger: string | undefined;
  /** The operations with the ways in which their valid requests ended, as `endOf` returns them: `block answers 500`. */
  readonly endingsOfValid: ReadonlySet<string>;
  /** The keys of all credentials that the service accepted in the run, as far as the results name them. */
  readonly accepted: ReadonlySet<string>;
  readonly isAcceptanceKnown: boolean;
}

/** A rule that finds failures with one cause although their descriptions differ. */
interface JoiningRule {
  /** The rule joins failures with the same key. A failure without a key is left as it is. */
  keyOf(each: Met, run: JoinedRun): string | undefined;
  /** Returns the common description of a group's failures, or `undefined` if the group is too weak as evidence of one cause. */
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

/**
 * The rules, in the order in which they are applied. A rule that joins failures removes their `ending`, so later rules that need an ending
 * leave these failures alone.
 */
const joiningRules: readonly JoiningRule[] = [
  // If several lists don't show the same change, the change is the cause.
  {
    keyOf: ({ failure }) => failure.unseen?.change,
    widen: (group, change) => {
      const lists = new Set(group.flatMap(({ failure }) => failure.unseen?.list ?? []));
      return { says: `${change} is accepted and never shows in ${listed([...lists].sort())}` };
    },
  },
  // If several operations refuse a value that the team configured, the value is the cause. It is probably gone.
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
  // If an operation accepts several requests that it must refuse, these failures are one cause.
  {
    keyOf: ({ name, failure: { ending } }) => (ending === ACCEPTS ? name : undefined),
    widen: (group, name) => {
      const claims = [...new Set(group.flatMap(({ failure: { claim } }) => (claim ? `“${claim}”` : [])))];
      const [shown, more] = [claims.slice(0, CLAIMS_SHOWN), claims.length - CLAIMS_SHOWN];
      return { says: `${name} ${ACCEPTS}: ${listed([...shown, ...(more > 0 ? [`${more} more`] : [])])}` };
    },
  },
  // If the service takes the friend's requests as those of another user, all failures of the friend have this one cause.
  {
    keyOf: ({ failure: { isFriends, call } }, { stranger }) =>
      isFriends && (call?.status ?? 500) < 500 ? stranger : undefined,
    widen: (_, user) => ({
      kind: 'unjudged',
      says: `the service takes the friend's requests for those of ${user}; check FRIEND_ACCESS_TOKEN`,
    }),
  },
  // A credential is the cause if several areas refuse it, if no operation accepts it, or if the suite stopped sending it after refusals.
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
  // If nothing works in an area, all its failures with the same ending have one cause. Failures with this ending in other areas where
  // nothing works have the same cause.
  {
    keyOf: ({ areas = [], ending }, { working }) => (areas.some((area) => !working.has(area)) ? ending : undefined),
    widen: (group) => {
      // One failing operation doesn't prove that its area is down, so at least one of the areas must have several failing operations.
      const byArea = Map.groupBy(group, ({ areas = [] }) => areas[0]).values();
      return byArea.some((met) => operationsIn(met).length > 1) ? { kind: 'address' } : undefined;
    },
  },
  // If several operations fail in the same way, but only for invalid input, the cause is the error handling that these operations share.
  {
    keyOf: (each, { endingsOfValid }) => (endingsOfValid.has(endOf(each)) ? undefined : each.ending),
    widen: (group, ending) => {
      const names = operationsIn(group);
      if (names.length < 2) return undefined;
      const who = names.length > OPERATIONS_OF_AREA ? `${names.length} operations` : listed(names);
      return { says: `${who} ${inPlural(ending)} to invalid input` };
    },
  },
  // If enough operations of one area end in the same way, they are one cause.
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
 * If an operation failed in this run, moves two kinds of other failures under that failure: those of scenarios that needed the operation,
 * and the operation's drift.
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

/** Builds a cause from its failures. */
function causeOf(met: readonly Met[]) {
  const direct = met.filter(({ follows }) => !follows);
  const [first] = [...direct.filter(({ failure }) => !failure.drift), ...direct, ...met] as [Met, ...Met[]];
  const { failure: example } = first;
  const titles = (of: readonly Met[]) => of.map(({ failure }) => failure.title);
  // If an address or the provisioner is down, it is chance which tests try it first. So the tests that were not tried are listed like those
  // that failed.
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
    /** The learned answers and shapes of responses that no longer hold, each with the answer or the shape that has replaced it. */
    evidence: example.drift
      ? [example.drift.evidence]
      : [...new Set(met.flatMap(({ failure }) => failure.drift?.sentence ?? []))],
    /** A cure for the team, in one sentence. */
    ...(cure ? { cure } : {}),
    verdict: example.verdict,
    /** The grade of the best-founded expectation that broke. */
    ...(grade ? { grade } : {}),
    areas,
    operations: [...new Set(met.flatMap(({ failure }) => failure.call?.operation ?? []))] as readonly CallableId[],
    /** Titles of the tests. Those whose own expectation failed come first. */
    tests,
    /** Titles of the tests that failed only because of this cause: in clean-up, or because they could not start or be judged. */
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

/** The position of a grade in `gradeTable`, which begins with the weightiest. */
function rankOf(grade: Grade | undefined): number {
  const grades = Object.keys(gradeTable);
  return grade === undefined ? grades.length : grades.indexOf(grade);
}
