import fc from 'fast-check';
import type { MaintenanceRule } from '../../config/index.ts';
import type { Notice } from '../../monitor/alerting/notice.ts';
import {
  MINUTE,
  type PlayedEnvironment,
  type PlayedScenario,
  type ToldNotice,
  type Trouble,
} from './played-outages.ts';

/** Every day from a minute of the day on (UTC), for so many minutes. */
const windows: Readonly<Record<string, readonly (readonly [from: number, minutes: number])[]>> = {
  aa: [
    [600, 60],
    [900, 20],
  ],
  cc: [[630, 240]],
};

/** Whether an environment is in maintenance; `at` is an epoch, in ms. */
export function isWorldMaintenance(environment: string, at: number): boolean {
  const minute = Math.floor(at / MINUTE) % 1_440;
  return (windows[environment] ?? []).some(([from, minutes]) => minute >= from && minute < from + minutes);
}

function maintenanceOf(environment: string): readonly MaintenanceRule[] {
  return (windows[environment] ?? []).map(([from, minutes]) => ({
    pattern: `${from % 60} ${Math.floor(from / 60)} * * *`,
    timeZone: 'UTC',
    durationMs: minutes * MINUTE,
  }));
}

/** Three environments, two of them on one host; two have maintenance windows. */
export const worldEnvironments: Readonly<Record<string, PlayedEnvironment>> = {
  aa: { host: 'h', maintenance: maintenanceOf('aa') },
  bb: { host: 'h' },
  cc: { host: 'i', maintenance: maintenanceOf('cc') },
};

/** Scenarios, and two by the names that they get when they are renamed. */
const parts = [
  ['friends', 'block'],
  ['friends', 'list'],
  ['stories', 'love'],
  ['friends', 'block, renamed'],
] as const;

export const worldScenarios: readonly PlayedScenario[] = Object.keys(worldEnvironments).flatMap((environment) =>
  parts.map(([area, title]) => ({ environment, area, title })),
);

/** What can be in trouble: a host, an environment, an area or a scenario. */
const targets = [
  'h',
  ...Object.keys(worldEnvironments),
  ...['aa', 'bb'].flatMap((name) => [`${name}/friends`, `${name}/stories`]),
  ...worldScenarios.filter(({ environment }) => environment !== 'cc').map((one) => `${one.environment}/${one.title}`),
];

const anyTarget = fc.constantFrom(...targets);
const troubles: readonly Trouble[] = ['refused', '500', 'broken', 'unknown', 'skipped', 'unproven'];
const trouble = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...troubles.slice(0, 3)) },
  fc.constantFrom(...troubles),
);

const event = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('trouble' as const), what: anyTarget, trouble }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('heal' as const), what: anyTarget }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('heal all', 'restart', 'acknowledge') }),
  },
  // The calendar is set, by so many minutes.
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      minutes: fc.constantFrom(-1_500, -61, -7, 7, 61, 1_500),
    }),
  },
  // What is monitored from now on.
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('choose' as const),
      environments: fc.subarray(Object.keys(worldEnvironments), { minLength: 1 }),
      titles: fc.subarray(
        parts.map(([, title]): string => title),
        { minLength: 1 },
      ),
    }),
  },
);

const step = fc.record({
  events: fc.array(event, { minLength: 0, maxLength: 2 }),
  /** Rounds of runs, a minute apart. */
  rounds: fc.integer({ min: 1, max: 3 }),
  /** Minutes that pass then. */
  pause: fc.constantFrom<number[]>(0, 0, 0, 1, 2, 7, 20, 45, 90, 200),
});

export type WorldStep = typeof step extends fc.Arbitrary<infer Step> ? Step : never;

/** What happens in a world, step by step. */
export const worlds = fc.array(step, { minLength: 1, maxLength: 20 });

const refOf = ({ environment, title }: Pick<PlayedScenario, 'environment' | 'title'>) => `${environment}: ${title}`;

interface Fact {
  state: 'up' | 'down' | 'other';
  /** When it got into that state; epoch, in ms. */
  since: number;
  good: number;
  unjudgedSince: number | undefined;
  /** No run passed since it was last known to prove nothing. */
  neverUp: boolean;
}

/**
 * What is true of each scenario, by the rules that the documentation states: a confirmed failure is down at once, two good runs in a
 * row are up, fifteen minutes without a judgement are neither. What never passed and proves nothing twice in a row is not down any
 * more. It shares no code with the monitor.
 */
export class Truth {
  readonly #facts = new Map<string, Fact>();
  /** It had recovered before it was no longer monitored. */
  readonly #wasUp = new Set<string>();

  ran(scenario: PlayedScenario, trouble: Trouble | undefined, now: number): void {
    const unseen: Fact = { state: 'other', since: now, good: 2, unjudgedSince: undefined, neverUp: true };
    const fact = this.#facts.get(refOf(scenario)) ?? unseen;
    this.#facts.set(refOf(scenario), fact);
    const become = (state: Fact['state']) => {
      if (fact.state !== state) fact.since = now;
      fact.state = state;
    };
    if (trouble === 'unproven' && fact.neverUp) {
      fact.good++;
      if (fact.state === 'down' && fact.good < 2) fact.unjudgedSince ??= now;
      else this.#facts.set(refOf(scenario), unseen);
      return;
    }
    if (trouble === 'unknown' || trouble === 'skipped' || trouble === 'unproven') {
      fact.unjudgedSince ??= now;
      const isLong = now - fact.unjudgedSince >= 15 * MINUTE;
      if (isLong || (trouble === 'skipped' && fact.state !== 'down')) become('other');
      if (fact.state === 'other') fact.good = 2;
      return;
    }
    fact.unjudgedSince = undefined;
    fact.good = trouble ? 0 : fact.good + 1;
    fact.neverUp &&= trouble !== undefined;
    if (trouble) {
      this.#wasUp.delete(refOf(scenario));
      become('down');
    } else if (fact.good >= 2) become('up');
  }

  /** It is not monitored any more: what becomes of it is not known. */
  forget(scenario: PlayedScenario): void {
    const ref = refOf(scenario);
    if (this.#facts.get(ref)?.state === 'up') this.#wasUp.add(ref);
    this.#facts.delete(ref);
  }

  of(scenario: Pick<PlayedScenario, 'environment' | 'title'>): Fact['state'] {
    return this.#facts.get(refOf(scenario))?.state ?? 'other';
  }

  hasRecovered(ref: string): boolean {
    return this.ofRef(ref) === 'up' || (this.ofRef(ref) === 'other' && this.#wasUp.has(ref));
  }

  ofRef(ref: string): Fact['state'] {
    return this.#facts.get(ref)?.state ?? 'other';
  }

  downSince(scenario: PlayedScenario): number | undefined {
    const fact = this.#facts.get(refOf(scenario));
    return fact?.state === 'down' ? fact.since : undefined;
  }
}

/** The belief of one channel's readers, by incident: what its notices say is broken. */
export class Belief {
  readonly #open = new Map<string, { notices: Notice[]; named: Map<string, boolean> }>();
  /** When something was said to have recovered, of an incident that is not over. */
  readonly #back = new Map<string, number>();

  get all(): readonly string[] {
    return [...this.#open.values()].flatMap(({ named }) => [...named.keys()]);
  }

  /** Takes in a notice; returns what is not true in it. */
  read({ notice, at }: ToldNotice, truth: Truth, isQuiet: (environment: string) => boolean): string[] {
    const { kind, incident, scenarios, environments = [], headline } = notice;
    const problems: string[] = [];
    if (notice.durationMs < 0 || /NaN|Infinity|-\d+ (s|min|h|d)/.test(headline)) problems.push('this is nonsense');
    const before = this.#open.get(incident);
    if ((kind === 'down') === (before !== undefined)) problems.push(`${kind} does not follow what was told`);
    const { notices, named } = before ?? { notices: [], named: new Map<string, boolean>() };
    const isApart = new Set<string>();
    const about = environments[0] ?? /^(\w+):/.exec(headline)?.[1] ?? '';
    for (const { environment = about, title, isOpen, ending, verdict } of scenarios) {
      const scenario = { environment, title };
      const ref = refOf(scenario);
      const state = truth.of(scenario);
      const isDown = verdict === 'failed' || verdict === 'unreachable';
      if (isOpen) named.set(ref, isDown);
      else named.delete(ref);
      if (!isOpen && kind !== 'up') this.#back.set(ref, at);
      if (isOpen && isDown && state !== 'down') problems.push(`${ref} is said to be down, and is ${state}`);
      if (isOpen && isQuiet(environment)) problems.push(`${ref} is told in maintenance`);
      if (ending === 'has recovered' && !truth.hasRecovered(ref))
        problems.push(`${ref} is said to have recovered, and is ${state}`);
      if (ending !== undefined && ending !== 'has recovered') isApart.add(ref);
    }
    // One cause: what is not reached and what answers wrongly are two.
    const verdicts = new Set(scenarios.filter(({ isOpen }) => isOpen).map(({ verdict }) => verdict));
    if (verdicts.has('failed') && verdicts.has('unreachable')) problems.push('two causes are one incident');
    if (kind === 'up')
      for (const [ref, isDown] of named)
        if (isDown && !isApart.has(ref) && truth.ofRef(ref) === 'down')
          problems.push(`all of it is said to have recovered, and ${ref} is down`);
    if (kind === 'up') {
      this.#open.delete(incident);
      for (const { environment = about, title } of scenarios) this.#back.delete(refOf({ environment, title }));
    } else this.#open.set(incident, { notices: [...notices, notice], named });
    return problems;
  }

  /** Whether they know that it is down: it was named, or the address, or what fails at its address in its environment. */
  holdsDown({ environment, title, area }: PlayedScenario, now: number, areaOf: (title: string) => string): boolean {
    return this.#open.values().some(({ notices, named }) => {
      const isDown = ([ref, is]: [string, boolean]) => is && ref.startsWith(`${environment}: `);
      const ref = refOf({ environment, title });
      // A scenario that was reported as recovered, while others were down, is reported again within the hour.
      if (named.get(ref) === true || now - (this.#back.get(ref) ?? 0) < 64 * MINUTE) return true;
      if (![...named].some(isDown)) return false;
      const isAddress = notices.some(({ addresses = [] }) =>
        addresses.some((address) => address.includes(`/${environment}/${area}/`)),
      );
      return (
        isAddress || [...named].some((one) => isDown(one) && areaOf(one[0].slice(environment.length + 2)) === area)
      );
    });
  }
}
