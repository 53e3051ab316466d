import { flips } from '../../monitor/history/incidents.ts';
import type { IncidentEvent } from '../../monitor/status/incident.ts';
import { isBadStatus, type Status } from '../../monitor/status/status.ts';
import { windowsOf } from '../../monitor/status-page/figures.ts';
import { MINUTE, PlayedOutages, type PlayedScenario, type ToldNotice, type Trouble } from './played-outages.ts';
import {
  Belief,
  isWorldMaintenance,
  Truth,
  type WorldStep,
  worldEnvironments,
  worldScenarios,
} from './random-worlds.ts';

const START = Date.parse('2026-11-20T09:30:00Z');
const CHANNELS = ['webhook', 'slack'];
/** The second one hears of some environments alone. */
const ROUTES = new Map([['slack', ['bb', 'cc']]]);
/** A notice follows within an interval after the time that collects changes; time is looked at every two minutes. */
const KNOWN_WITHIN = 4 * MINUTE;

/** Plays a world on a real recorder; without `restarts`, none takes place. `problems`: what was not true, in words. */
export function playWorld(steps: readonly WorldStep[], restarts = true) {
  const world = new World(restarts);
  try {
    for (const step of steps) world.step(step);
    world.heal();
    return { problems: world.problems, notices: world.said };
  } finally {
    world.played.end();
  }
}

class World {
  readonly played = new PlayedOutages(worldEnvironments, { channels: CHANNELS, routes: ROUTES });
  readonly problems: string[] = [];
  readonly said: string[] = [];
  /** By the clock that can't be set. */
  now = START;
  /** The calendar minus `now`, in ms. */
  #ahead = 0;
  readonly #truth = new Truth();
  readonly #beliefs = new Map(CHANNELS.map((channel) => [channel, new Belief()]));
  readonly #troubles = new Map<string, Trouble>();
  readonly #restarts: boolean;
  #monitored: readonly PlayedScenario[] = worldScenarios.filter(({ title }) => !title.includes('renamed'));
  /** When notices were last kept back, for each scenario. */
  readonly #keptBack = new Map<string, number>();

  constructor(restarts: boolean) {
    this.#restarts = restarts;
    this.played.start(this.#monitored, this.#calendar, this.now);
  }

  get #calendar(): number {
    return this.now + this.#ahead;
  }

  /** `stride`: how many minutes pass between two looks, where nothing runs. */
  step({ events, rounds, pause }: WorldStep, stride = 2): void {
    for (const event of events) this.#event(event);
    for (let round = 0; round < rounds; round++) this.#round();
    for (let left = pause; left > 0; left -= stride) {
      this.now += stride * MINUTE;
      this.#pass();
    }
  }

  /** Everything is well and monitored for some hours: nobody believes anything else then. */
  heal(): void {
    this.#troubles.clear();
    this.#choose(worldScenarios);
    this.step({ events: [], rounds: 3, pause: 400 }, 20);
    const open = this.played.recorder.incidents.open.length;
    if (open > 0) this.problems.push(`${open} incidents stay open`);
    for (const [channel, belief] of this.#beliefs)
      for (const ref of belief.all) this.problems.push(`${channel} believes for ever that ${ref} is down`);
    this.#historyAddsUp();
  }

  /** The history must be consistent even if somebody set the calendar. */
  #historyAddsUp(): void {
    const { db, scenarios, incidents } = this.played.recorder;
    for (const { id, since, until } of incidents.all)
      if (until !== undefined && until < since) this.problems.push(`incident ${id} ended before it began`);
    for (const known of scenarios.monitored) {
      const all = flips(db, known.id);
      // That something is seen for the first time is no flip.
      const kinds = (status: Status) => (isBadStatus(status) ? status : 'well');
      const isChain = all.every(({ from }, index) => index === 0 || kinds(from) === kinds(all[index - 1]?.to ?? from));
      const isSound = windowsOf(db, known, this.#calendar).every(
        ({ ratio = 0, downMs, observedMs, withoutData }) =>
          ratio >= 0 && ratio <= 1 && downMs >= 0 && downMs <= observedMs && withoutData >= 0 && withoutData <= 1,
      );
      if (!isChain || !isSound) this.problems.push(`the history of ${known.environment}: ${known.title} is nonsense`);
    }
  }

  #event(event: WorldStep['events'][number]): void {
    const { recorder } = this.played;
    switch (event.kind) {
      case 'trouble':
        this.#troubles.set(event.what, event.trouble);
        break;
      case 'heal':
        this.#troubles.delete(event.what);
        break;
      case 'heal all':
        this.#troubles.clear();
        break;
      case 'restart':
        if (this.#restarts) this.played.start(this.#monitored, this.#calendar, this.now);
        break;
      case 'set':
        this.#ahead += event.minutes * MINUTE;
        break;
      case 'choose':
        this.#choose(
          worldScenarios.filter(
            (one) => event.environments.includes(one.environment) && event.titles.includes(one.title),
          ),
        );
        break;
      case 'acknowledge':
        for (const { id } of recorder.incidents.open) this.#handle(id, { kind: 'acknowledged' });
    }
  }

  #handle(id: number, event: Pick<IncidentEvent, 'kind'>): void {
    this.played.recorder.handle(id, { at: this.#calendar, person: 'Ada', text: '', ...event });
  }

  #choose(monitored: readonly PlayedScenario[]): void {
    for (const scenario of worldScenarios) if (!monitored.includes(scenario)) this.#truth.forget(scenario);
    this.#monitored = monitored;
    this.played.start(monitored, this.#calendar, this.now);
  }

  #round(): void {
    this.now += MINUTE;
    this.played.minute(
      this.#calendar,
      (scenario) => this.#troubleOf(scenario),
      (scenario) => {
        this.#truth.ran(scenario, this.#troubleOf(scenario), this.now);
        // A second may end between any two runs.
        if ((this.now / MINUTE) % 2 === 0) this.played.pass(this.#calendar, this.now);
        this.#read();
      },
      this.now,
    );
    this.#pass();
  }

  #pass(): void {
    this.played.pass(this.#calendar + 45_000, this.now + 45_000);
    this.#read();
    this.#nothingIsSilent();
  }

  #troubleOf({ environment, area, title }: PlayedScenario): Trouble | undefined {
    const host = worldEnvironments[environment]?.host ?? '';
    const names = [`${environment}/${title}`, `${environment}/${area}`, environment, host];
    return names.map((name) => this.#troubles.get(name)).find((found) => found !== undefined);
  }

  #read(): void {
    for (const told of this.played.notices()) {
      const isQuiet = (environment: string) => isWorldMaintenance(environment, told.at);
      const steady = { ...told, at: told.at - this.#ahead };
      const problems = this.#beliefs.get(told.channel)?.read(steady, this.#truth, isQuiet) ?? [];
      this.said.push(lineOf(told));
      this.problems.push(...problems.map((problem) => `${lineOf(told)} — ${problem}`));
    }
  }

  /** Every route knows each scenario that is down for long enough, unless maintenance keeps notices back. */
  #nothingIsSilent(): void {
    for (const scenario of this.#monitored) {
      const ref = `${scenario.environment}: ${scenario.title}`;
      if (isWorldMaintenance(scenario.environment, this.#calendar)) this.#keptBack.set(ref, this.now);
      const since = this.#truth.downSince(scenario);
      if (since === undefined || this.now - Math.max(since, this.#keptBack.get(ref) ?? 0) < KNOWN_WITHIN) continue;
      for (const [channel, belief] of this.#beliefs)
        if (concerns(channel, scenario) && !belief.holdsDown(scenario, this.now, areaOf))
          this.problems.push(`${at(this.now)} ${channel} does not know that ${ref} is down since ${at(since)}`);
    }
  }
}

const concerns = (channel: string, { environment }: PlayedScenario) =>
  ROUTES.get(channel)?.includes(environment) ?? true;

const areaOf = (title: string) => worldScenarios.find((one) => one.title === title)?.area ?? '';

const at = (ms: number) => new Date(ms).toISOString().slice(11, 16);

const lineOf = ({ at: when, channel, notice }: ToldNotice) =>
  `${at(when)} ${channel} ${notice.kind}: ${notice.headline}`;
