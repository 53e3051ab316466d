import type { Notice } from '../../monitor/alerting/notice.ts';
import { MINUTE, type PlayedScenario, type SentNotice, type Trouble } from './played-outages.ts';

export const refOf = ({ environment, title }: Pick<PlayedScenario, 'environment' | 'title'>) =>
  `${environment}: ${title}`;

interface Fact {
  state: 'up' | 'down' | 'other';
  /** When the scenario entered `state`; epoch, in ms. */
  since: number;
  good: number;
  unjudgedSince: number | undefined;
}

/**
 * The true state of each scenario, by the documented rules. A confirmed failure makes a scenario down at once, and two good runs in a row
 * make it up. If no run can be judged for fifteen minutes, the scenario is neither. A scenario that never passed is no longer down once two
 * runs in a row have proved nothing. This class shares no code with the monitor.
 */
export class Truth {
  readonly #upAfter: number;
  readonly #facts = new Map<string, Fact>();
  /** Scenarios that were up when the monitor stopped running them, and that haven't failed since. */
  readonly #wasUp = new Set<string>();
  /** Scenarios that have passed at least once. The monitor remembers this also while it doesn't run them. */
  readonly #havePassed = new Set<string>();

  constructor(upAfter: number) {
    this.#upAfter = upAfter;
  }

  ran(scenario: PlayedScenario, trouble: Trouble | undefined, now: number): void {
    const upAfter = this.#upAfter;
    const unseen: Fact = { state: 'other', since: now, good: upAfter, unjudgedSince: undefined };
    const fact = this.#facts.get(refOf(scenario)) ?? unseen;
    this.#facts.set(refOf(scenario), fact);
    const become = (state: Fact['state']) => {
      if (fact.state !== state) fact.since = now;
      fact.state = state;
    };
    if (trouble === 'unproven' && !this.#havePassed.has(refOf(scenario))) {
      fact.good++;
      if (fact.state === 'down' && fact.good < upAfter) fact.unjudgedSince ??= now;
      else this.#facts.set(refOf(scenario), unseen);
      return;
    }
    if (trouble === 'unknown' || trouble === 'skipped' || trouble === 'unproven') {
      fact.unjudgedSince ??= now;
      const isLong = now - fact.unjudgedSince >= 15 * MINUTE;
      if (isLong || (trouble === 'skipped' && fact.state !== 'down')) become('other');
      if (fact.state === 'other') fact.good = upAfter;
      return;
    }
    fact.unjudgedSince = undefined;
    fact.good = trouble ? 0 : fact.good + 1;
    if (!trouble) this.#havePassed.add(refOf(scenario));
    if (trouble) {
      this.#wasUp.delete(refOf(scenario));
      become('down');
    } else if (fact.good >= upAfter) become('up');
  }

  /** Forgets the state of a scenario that is no longer monitored, because nothing shows its further states. */
  forget(scenario: PlayedScenario): void {
    const ref = refOf(scenario);
    if (this.#facts.get(ref)?.state === 'up') this.#wasUp.add(ref);
    this.#facts.delete(ref);
  }

  of(scenario: Pick<PlayedScenario, 'environment' | 'title'>): Fact['state'] {
    return this.ofRef(refOf(scenario));
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

/** The broken scenarios that the notices of one channel have reported, by incident: the belief of its readers. */
export class Belief {
  readonly #open = new Map<string, { notices: Notice[]; named: Map<string, boolean> }>();
  /** When a notice reported the recovery of a scenario whose incident is still open; epoch, in ms. */
  readonly #back = new Map<string, number>();

  get all(): readonly string[] {
    return [...this.#open.values()].flatMap(({ named }) => [...named.keys()]);
  }

  /** Adds a notice to the belief of its readers; returns the untrue statements in the notice. */
  read({ notice, at }: SentNotice, truth: Truth, isQuiet: (environment: string) => boolean): string[] {
    const { kind, incident, scenarios, environments = [], headline } = notice;
    const problems: string[] = [];
    if (notice.durationMs < 0 || /NaN|Infinity|-\d+ (s|min|h|d)/.test(headline)) problems.push('this is nonsense');
    const before = this.#open.get(incident);
    if ((kind === 'down') === (before !== undefined)) problems.push(`${kind} does not follow what was told`);
    const { notices, named } = before ?? { notices: [], named: new Map<string, boolean>() };
    const isApart = new Set<string>();
    const about = environments[0] ?? /^(\S+): /.exec(headline)?.[1] ?? '';
    for (const { environment = about, title, isOpen, ending, verdict } of scenarios) {
      const scenario = { environment, title };
      const ref = refOf(scenario);
      const state = truth.of(scenario);
      const isDown = ['failed', 'unreachable', 'refused'].includes(verdict);
      if (isOpen) named.set(ref, isDown);
      else named.delete(ref);
      if (!isOpen && kind !== 'up') this.#back.set(ref, at);
      if (isOpen && isDown && state !== 'down') problems.push(`${ref} is said to be down, and is ${state}`);
      if (isOpen && isQuiet(environment)) problems.push(`${ref} is told in maintenance`);
      if (ending === 'has recovered' && !truth.hasRecovered(ref))
        problems.push(`${ref} is said to have recovered, and is ${state}`);
      if (ending !== undefined && ending !== 'has recovered') isApart.add(ref);
    }
    // An incident has one cause. An unreachable address and a wrong response have different causes.
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

  /** Whether the readers know of a scenario's outage: a notice names the scenario, its address, or a scenario of the same area. */
  holdsDown(scenario: PlayedScenario, now: number, scenarios: readonly PlayedScenario[], address: string): boolean {
    const { environment, area } = scenario;
    const ofEnvironment = scenarios.filter((one) => one.environment === environment);
    return this.#open.values().some(({ notices, named }) => {
      // If a scenario recovers and fails again while its incident is open, the monitor may send the next notice about it an hour later.
      if (named.get(refOf(scenario)) === true || now - (this.#back.get(refOf(scenario)) ?? 0) < 64 * MINUTE)
        return true;
      const down = ofEnvironment.filter((one) => named.get(refOf(one)) === true);
      const isAddress = notices.some(({ addresses = [] }) => addresses.includes(address));
      return down.some((one) => isAddress || one.area === area);
    });
  }
}
