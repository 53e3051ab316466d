import { counted, listed } from '../../environment/index.ts';
import { type AreaId, areaIds, areaTitle, type CallableId, callable } from '../../service/index.ts';
import { ACCEPTS, excerpt, type Failure, type Grade, gradeTable, type Verdict, verdicts } from '../../verdict/index.ts';
import { sentenceOf } from './cause.ts';
import { type Description, describeFailure } from './describe-failure.ts';

/** A failure of one test or scenario in one environment. A test may have several. */
export interface FailedTest extends Failure {
  readonly environment: string;
  readonly title: string;
}

/** The cause for which one or more tests of a run failed. */
export type CauseInRun = ReturnType<typeof causeOf>;

interface Met extends Description {
  readonly failure: FailedTest;
  /** It failed in clean-up alone, or could not start or be judged for another failure. */
  readonly follows: boolean;
}

/** How much of an error's body is shown, in characters: the body mostly explains the failure. */
const BODY = 160;

/** From so many operations on that end the same way, the area is the cause, and not each operation. */
const OPERATIONS_OF_AREA = 3;

/** How many of the broken expectations of one operation its sentence names. */
const CLAIMS_SHOWN = 2;

/** How services refuse what they don't know. */
const OF_WHAT_IS_GONE: ReadonlySet<number | undefined> = new Set([400, 404, 410, 422]);

interface Ended {
  readonly operation: CallableId;
  readonly status?: number;
  readonly response?: { readonly status: number };
}

/** The areas that gave a response that was no server error. */
export function workingAreas(calls: readonly Ended[]): AreaId[] {
  const worked = calls.filter(({ response, status = response?.status ?? 500 }) => status < 500);
  return [...new Set(worked.map(({ operation }) => callable(operation).area))];
}

/** The part of a result from which causes are taken. */
interface Ending {
  readonly environment: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly failures?: readonly Failure[];
  /** Absent: unknown, so that no area counts as down as a whole. */
  readonly working?: readonly AreaId[];
  /** The keys of the credentials that were accepted in it. Absent: unknown, and each operation that refuses a credential is a separate cause. */
  readonly accepted?: readonly string[];
}

/** The credentials that a run has accepted until now: one test alone may not show whether its operation or its credential broke. */
export class AcceptedSoFar {
  readonly #by = new Map<string, Set<string>>();

  withEarlier<T extends Pick<Ending, 'environment' | 'accepted'>>(ending: T): T & { readonly accepted: string[] } {
    const accepted = (this.#by.get(ending.environment) ?? new Set()).union(new Set(ending.accepted));
    this.#by.set(ending.environment, accepted);
    return { ...ending, accepted: [...accepted] };
  }
}

/** The causes of all that fell short or could not be judged, the gravest and best founded first. What merely follows stands under its cause. */
export function causesOf(results: readonly Ending[]): CauseInRun[] {
  return [...Map.groupBy(results, ({ environment }) => environment).values()].flatMap(causesIn);
}

/** A cause with the number of its tests: `Friends: unblock answers 500 (14 tests)`. */
export function causeLine({ sentence, tests }: Pick<CauseInRun, 'sentence' | 'tests'>, noun = 'test'): string {
  return `${sentence} (${counted(tests.length, noun)})`;
}

/** The lines below that of a cause: an error's body, what no longer holds, how many tests merely follow, and where to look. */
export function causeDetails(cause: CauseInRun): string[] {
  const { tests, follows, cure, body, evidence } = cause;
  const count = follows.length === tests.length ? 'all of them' : `${follows.length} of them`;
  const following = follows.length > 0 && `${count} only in clean-up, or because it kept them from starting`;
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
  // Causes with the same sentence are one cause for a person: several fields of one response, for example.
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

/** The part of a run that decides which of its failures are joined. */
interface JoinedRun {
  readonly working: ReadonlySet<AreaId>;
  /** The user whom the service takes the friend for. */
  readonly stranger: string | undefined;
  /** How operations ended for requests that they must accept. */
  readonly endingsOfValid: ReadonlySet<string>;
  /** The keys of the credentials that it accepted, as far as all of its results have them. */
  readonly accepted: ReadonlySet<string>;
  readonly isAcceptanceKnown: boolean;
}

/** Failures that have one cause, though each describes it in its own words. */
interface JoiningRule {
  /** Failures with one key are joined; without a key, a failure stays as it is. */
  keyOf(each: Met, run: JoinedRun): string | undefined;
  /** One description for all of them; `undefined` where they are too few. */
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

/** In the order in which they are applied: what one has joined has no ending any more. */
const joiningRules: readonly JoiningRule[] = [
  // Several lists may not show the same change.
  {
    keyOf: ({ failure }) => failure.unseen?.change,
    widen: (group, change) => {
      const lists = new Set(group.flatMap(({ failure }) => failure.unseen?.list ?? []));
      return { says: `${change} is accepted and never shows in ${listed([...lists].sort())}` };
    },
  },
  // Operations that refuse what the team gave, which is gone.
  {
    keyOf: ({ ending, failure: { given, call, isInvalid } }) => {
      const isUnknown = OF_WHAT_IS_GONE.has(call?.status) && !isInvalid && ending !== ACCEPTS;
      return given && isUnknown ? `${call?.status} for ${given}` : undefined;
    },
    widen: (group, refused) => {
      const names = operationsIn(group);
      return names.length > 1 ? { says: `${listed(names)} answer ${refused}: it may be gone` } : undefined;
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
  // If the service takes the friend for another user, all requests of the friend fail for this one cause.
  {
    keyOf: ({ failure: { isFriends, call } }, { stranger }) =>
      isFriends && (call?.status ?? 500) < 500 ? stranger : undefined,
    widen: (_, user) => ({
      kind: 'unjudged',
      says: `the friend's requests count as those of ${user}: FRIEND_ACCESS_TOKEN?`,
    }),
  },
  // A credential that several areas refuse, that nothing accepts, or that is no longer sent after its refusals.
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
      // It was sent no more for the refusals of one operation, while others accepted it.
      if (operation && others.length === 0 && areasIn(group).size > 0 && accepted.has(credential))
        return { kind: 'operation', says: `${operation} answers ${statuses} to our ${credential}` };
      return { kind: 'credential', name: credential, code: statuses, areas: inOrder(areas) };
    },
  },
  // An area of which nothing works; areas that end alike are one cause.
  {
    keyOf: ({ areas = [], ending }, { working }) => (areas.some((area) => !working.has(area)) ? ending : undefined),
    widen: (group) => {
      // An area is not down for one operation, but where others are in the same way.
      const byArea = Map.groupBy(group, ({ areas = [] }) => areas[0]).values();
      return byArea.some((met) => operationsIn(met).length > 1) ? { kind: 'address' } : undefined;
    },
  },
  // Operations that end so for nothing but invalid input: their framework does, and not each operation.
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

/** Puts what needed an operation that failed, or what was learned of it, under that failure, if this run shows it. */
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

/** `answers 502` of several. */
function inPlural(ending: string): string {
  return ending.replace(/^(\w+)s /, '$1 ');
}

/** The cause of one or more failed tests. */
function causeOf(met: readonly Met[]) {
  const direct = met.filter(({ follows }) => !follows);
  const [first] = [...direct.filter(({ failure }) => !failure.drift), ...direct, ...met] as [Met, ...Met[]];
  const { failure: example } = first;
  const titles = (of: readonly Met[]) => of.map(({ failure }) => failure.title);
  // Which tests met a dead address or provisioner first is chance: it kept all of them from starting.
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
    /** Without a number: `Friends: unblock answers 500`. */
    sentence: sentenceIn(first, areas),
    /** The beginning of the error's body. */
    ...(body ? { body } : {}),
    /** The answers and shapes, old and new, that no longer hold. */
    evidence: example.drift
      ? [example.drift.evidence]
      : [...new Set(met.flatMap(({ failure }) => failure.drift?.sentence ?? []))],
    /** The cure, in a sentence. */
    ...(cure ? { cure } : {}),
    verdict: example.verdict,
    /** The weightiest among the broken expectations. */
    ...(grade ? { grade } : {}),
    areas,
    operations: [...new Set(met.flatMap(({ failure }) => failure.call?.operation ?? []))] as readonly CallableId[],
    /** Titles, those first that failed in what they test. */
    tests,
    /** Scenarios that merely follow: their clean-up failed, or the cause kept them from starting or being judged. */
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
