import fc from 'fast-check';
import type { MaintenanceRule } from '../../config/index.ts';
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
    arbitrary: fc.record({ kind: fc.constantFrom('heal all', 'restart', 'acknowledge', 'mute', 'unmute') }),
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
    if (trouble) become('down');
    else if (fact.good >= 2) become('up');
  }

  /** It is not monitored any more: what becomes of it is not known. */
  forget(scenario: PlayedScenario): void {
    this.#facts.delete(refOf(scenario));
  }

  of(scenario: Pick<PlayedScenario, 'environment' | 'title'>): Fact['state'] {
    return this.#facts.get(refOf(scenario))?.state ?? 'other';
  }

  downSince(scenario: PlayedScenario): number | undefined {
    const fact = this.#facts.get(refOf(scenario));
    return fact?.state === 'down' ? fact.since : undefined;
  }
}

interface Claim {
  readonly incident: string;
  readonly scenario: { readonly environment: string; readonly title: string };
  /** `down`, or that it could not run or be judged. */
  readonly isDown: boolean;
}

/** What somebody believes who reads the notices of one channel, and nothing else. */
export class Belief {
  #claims: Claim[] = [];
  /** Addresses and environments that don't respond, by incident. */
  #out: { readonly incident: string; readonly name: string }[] = [];

  /** Takes in a notice; returns what is not true in it. */
  read({ notice }: ToldNotice, truth: Truth, isQuiet: (environment: string) => boolean): string[] {
    const { kind, incident, scenarios, environments = [], addresses = [], cause } = notice;
    const isDown = cause.kind === 'host' || cause.kind === 'address';
    const problems: string[] = [];
    const about = environments[0] ?? environmentIn(notice.headline);
    for (const { environment = about, title, isOpen, ending } of scenarios) {
      const scenario = { environment, title };
      const ref = refOf(scenario);
      const state = truth.of(scenario);
      this.#claims = this.#claims.filter((claim) => claim.incident !== incident || refOf(claim.scenario) !== ref);
      if (isOpen) this.#claims.push({ incident, scenario, isDown });
      if (isOpen && isDown && state !== 'down') problems.push(`${ref} is said to be down, and is ${state}`);
      if (isOpen && isQuiet(environment)) problems.push(`${ref} is told in maintenance`);
      if (ending === 'is back' && state !== 'up') problems.push(`${ref} is said to be back, and is ${state}`);
      if (!isOpen) this.#out = this.#out.filter((out) => out.incident !== incident || !concerns(out.name, environment));
    }
    const isEnd = kind === 'up' || kind === 'over';
    if (kind === 'up' && isDown)
      for (const claim of this.#claims)
        if (claim.incident === incident && truth.of(claim.scenario) !== 'up')
          problems.push(`an incident is said to be over, and ${refOf(claim.scenario)} is ${truth.of(claim.scenario)}`);
    this.#claims = this.#claims.filter((claim) => !isEnd || claim.incident !== incident);
    this.#out = this.#out.filter((out) => !isEnd || out.incident !== incident);
    if (!isEnd && addresses.length > 0)
      for (const name of [...addresses, ...(kind === 'down' || kind === 'more' ? environments : [])])
        this.#out.push({ incident, name });
    return problems;
  }

  holdsDown({ environment, title, area }: PlayedScenario): boolean {
    return (
      this.#claims.some(({ scenario, isDown }) => isDown && refOf(scenario) === refOf({ environment, title })) ||
      this.#out.some(({ name }) => name === environment || name.includes(`/${environment}/${area}/`))
    );
  }

  get all(): readonly Claim[] {
    return this.#claims;
  }
}

function concerns(name: string, environment: string): boolean {
  return name === environment || name.includes(`/${environment}/`);
}

function environmentIn(headline: string): string {
  return /^(\w+)(:| is back;)/.exec(headline)?.[1] ?? '';
}
