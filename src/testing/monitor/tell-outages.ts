import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notice } from '../../monitor/alerting/notice.ts';
import type { Routes } from '../../monitor/alerting/routes.ts';
import { incidentTitle } from '../../monitor/alerting/wording.ts';
import { flips } from '../../monitor/history/incidents.ts';
import type { RecorderOptions, RunRecorder } from '../../monitor/recording/run-recorder.ts';
import { isBadStatus, type Status } from '../../monitor/status/status.ts';
import { windowsOf } from '../../monitor/status-page/figures.ts';
import type { AreaId } from '../../service/index.ts';
import { misfits } from '../document-schemas.ts';
import { Belief, refOf, Truth } from './beliefs.ts';
import { storiesIn } from './notice-stories.ts';
import { MINUTE, type PlayedEnvironment, PlayedOutages, type PlayedScenario, type Trouble } from './played-outages.ts';

const START = Date.parse('2026-11-20T10:00:00Z');
const DAY = 1_440;

interface Telling {
  readonly options?: Partial<RecorderOptions>;
  /** In every second minute the recorder also writes notices after each run, not only after all runs of the minute. */
  readonly isUneven?: boolean;
  /** The minute of a restart with other routes. */
  readonly rerouted?: { readonly at: number; readonly routes: Routes };
}

/** Words of a story for events other than the trouble of a scenario. */
const deeds: ReadonlySet<string> = new Set(['maintenance', 'unchosen', 'acknowledged', 'restarted', 'played']);

/**
 * Reads a story, whose clauses are separated by `; `:
 * - `aa, bb at *.h/p`: environments at a host, in which the area replaces `*`. They share the path `p`. `aa at h/`: one address for all areas.
 * - `block, list in friends`: scenarios in an area. Default: block in friends, love in stories.
 * - `aa 5–20; aa/friends 30–40 500; aa/friends/block 50–60 broken`: minutes in which a host, an environment, an area or a scenario is in trouble
 *   (default: refused). If several clauses match, the first one applies.
 * - In place of trouble: `unseen` (no runs), `unchosen` (not monitored), or for an environment `maintenance` (every day).
 * - `all 30–31 acknowledged`, `restarted` or `set-61`: what happens in minute 30. `set-61` sets the calendar back by 61 minutes.
 * - `all 0–90 played`: the length of the story. Default: 40 minutes.
 */
function read(story: string) {
  const environments: Record<string, PlayedEnvironment> = {};
  const titles: Record<string, AreaId> = {};
  const spans: { what: string; from: number; to: number; how: string }[] = [];
  for (const clause of story.split('; ')) {
    const [, names, word, where = '', path] = /^(.+) (at|in) ([^/]+)(?:\/(\w*))?$/.exec(clause) ?? [];
    const [, what = '', from, to, how = 'refused'] = /^(\S+) (\d+)–(\d+)(?: (\S+))?$/.exec(clause) ?? [];
    for (const name of names?.split(', ') ?? [])
      if (word === 'in') titles[name] = where as AreaId;
      else environments[name] = { host: where, ...(path === undefined ? {} : { path }) };
    if (!names) spans.push({ what: what || assert.fail(clause), from: Number(from), to: Number(to), how });
  }
  for (const { what, from, to } of spans.filter(({ how }) => how === 'maintenance')) {
    const pattern = `${from % 60} ${10 + Math.floor(from / 60)} * * *`;
    const { host = '', maintenance = [], ...rest } = environments[what] ?? {};
    const windows = [...maintenance, { pattern, timeZone: 'UTC', durationMs: (to - from) * MINUTE }];
    environments[what] = { ...rest, host, maintenance: windows };
  }
  const areas = Object.entries(
    Object.keys(titles).length > 0 ? titles : ({ block: 'friends', love: 'stories' } as const),
  );
  const scenarios = Object.keys(environments).flatMap((environment) =>
    areas.map(([title, area]) => ({ environment, area, title })),
  );
  return { environments, scenarios, spans };
}

/**
 * Plays a story on a real recorder, with one channel by default. Returns, among others:
 * - `headlines`: all notices as texts, `minute kind: headline`
 * - `heard`: the notices of each channel as texts, `minute kind: environments`
 * - `unsettled`: the number of incidents that are open at the end, or whose end some route wasn't notified of
 * - `still`: the scenarios that the readers of a channel still believe to be broken at the end
 * - `problems`: mistakes that no story may show, such as untrue notices
 */
export function tellOutages(story: string, telling: Telling = {}) {
  return new PlayedStory(read(story), telling).headlines();
}

type Span = ReturnType<typeof read>['spans'][number];

class PlayedStory {
  readonly #story: ReturnType<typeof read>;
  readonly #telling: Telling;
  readonly #channels: readonly string[];
  readonly #played: PlayedOutages;
  readonly #truth: Truth;
  readonly #beliefs: ReadonlyMap<string, Belief>;
  readonly #notices: (Notice & { readonly channel: string; readonly minute: number })[] = [];
  readonly #problems: string[] = [];
  /** When maintenance last suppressed the notices about a scenario: the time of the steady clock, in ms. */
  readonly #keptBack = new Map<string, number>();
  #monitored: readonly PlayedScenario[] = [];
  #minute = 0;
  /** How far the calendar is ahead of the steady clock, in ms. A story can set the calendar, but not the steady clock. */
  #ahead = 0;

  constructor(story: ReturnType<typeof read>, telling: Telling) {
    const { channels = ['webhook'], rule = { upAfter: 2 } } = telling.options ?? {};
    this.#story = story;
    this.#telling = telling;
    this.#channels = channels;
    this.#played = new PlayedOutages(story.environments, telling.options);
    this.#truth = new Truth(rule.upAfter);
    this.#beliefs = new Map(channels.map((channel) => [channel, new Belief()]));
  }

  headlines() {
    try {
      const last = this.#story.spans.find(({ how }) => how === 'played')?.to ?? 40;
      for (; this.#minute <= last; this.#minute++) this.#playMinute();
      const { all, unsettled } = this.#played.recorder.incidents;
      const still = [...this.#beliefs].flatMap(([channel, belief]) =>
        belief.all.map((ref) => `${channel} believes ${ref}`),
      );
      const notices = this.#notices;
      const briefly = (channel: string) =>
        notices
          .filter((one) => one.channel === channel)
          .map(({ kind, headline, minute }) => `${minute} ${kind}: ${headline.split(':')[0]}`);
      const history = nonsenseIn(this.#played.recorder, START + last * MINUTE + this.#ahead);
      return {
        notices,
        headlines: notices.map(({ minute, kind, headline }) => `${minute} ${kind}: ${headline}`),
        heard: Object.fromEntries(this.#channels.map((channel) => [channel, briefly(channel)])),
        problems: [...this.#problems, ...history],
        still,
        unsettled: unsettled.length,
        titles: all.map(incidentTitle),
      };
    } finally {
      this.#played.end();
    }
  }

  #playMinute(): void {
    const { spans } = this.#story;
    const steady = START + this.#minute * MINUTE;
    const sets = this.#beginning().filter(({ how }) => how.startsWith('set'));
    this.#ahead += sets.reduce((sum, { how }) => sum + Number(how.slice(3)) * MINUTE, 0);
    this.#startIfDue(steady);
    const isPause = spans.some((span) => span.what === 'all' && span.how === 'unseen' && this.#isAt(span));
    if (!isPause)
      this.#played.minute(
        steady + this.#ahead,
        (one) => this.#troubleOf(one),
        (scenario) => {
          this.#truth.ran(scenario, this.#troubleOf(scenario), steady);
          if (this.#telling.isUneven && this.#minute % 2 === 0) this.#played.pass(steady + this.#ahead, steady);
          this.#listen();
        },
        steady,
      );
    this.#listen();
    this.#acknowledge(steady + this.#ahead);
    if (isPause && this.#minute % 2 === 0) this.#played.pass(steady + this.#ahead + 45_000, steady + 45_000);
    this.#listen();
    this.#noteSilence(steady);
  }

  /** Starts the recorder at the beginning, at a restart, and when the monitored scenarios or the routes change. */
  #startIfDue(steady: number): void {
    const { spans, scenarios } = this.#story;
    const { options = {}, rerouted } = this.#telling;
    const isRerouted = this.#minute === rerouted?.at;
    if (isRerouted) this.#played.options = { ...options, routes: rerouted.routes };
    const isRestart = this.#beginning().some(({ how }) => how === 'restarted');
    const isTurn = spans.some(({ from, to, how }) => how === 'unchosen' && [from, to].includes(this.#minute));
    if (this.#minute > 0 && !isRerouted && !isTurn && !isRestart) return;
    this.#monitored = scenarios.filter((one) => !this.#howIs(one).includes('unchosen'));
    for (const scenario of scenarios) if (!this.#monitored.includes(scenario)) this.#truth.forget(scenario);
    this.#played.start(this.#monitored, steady + this.#ahead, steady);
  }

  #acknowledge(at: number): void {
    for (const { what } of this.#beginning().filter(({ how }) => how === 'acknowledged'))
      for (const { id, environment, hits } of this.#played.recorder.incidents.open)
        if (['all', environment, `${environment}/${hits[0]?.area}`].includes(what))
          this.#played.recorder.handle(id, { at, kind: 'acknowledged', person: 'Ada', text: '' });
  }

  #isAt({ from, to }: Span): boolean {
    return this.#minute >= from && this.#minute < to;
  }

  #beginning(): Span[] {
    return this.#story.spans.filter(({ from }) => from === this.#minute);
  }

  #howIs({ environment, area, title }: PlayedScenario): string[] {
    const { host = '' } = this.#story.environments[environment] ?? {};
    const names = ['all', host, environment, `${environment}/${area}`, `${environment}/${area}/${title}`];
    return this.#story.spans.filter((span) => this.#isAt(span) && names.includes(span.what)).map(({ how }) => how);
  }

  #troubleOf(one: PlayedScenario): Trouble | undefined {
    const all = this.#howIs(one).filter((how) => !deeds.has(how) && !how.startsWith('set'));
    return (all.includes('unseen') ? 'unseen' : all[0]) as Trouble | undefined;
  }

  #isQuiet(environment: string, calendar: number): boolean {
    const ofDay = ((((calendar - START) / MINUTE) % DAY) + DAY) % DAY;
    return this.#story.spans.some(
      ({ how, what, from, to }) => how === 'maintenance' && what === environment && ofDay >= from && ofDay < to,
    );
  }

  #listen(): void {
    for (const { channel, notice, at: calendar } of this.#played.notices()) {
      this.#notices.push({ ...notice, channel, minute: this.#minute });
      const heard = { channel, notice, at: calendar - this.#ahead };
      const isQuiet = (environment: string) => this.#isQuiet(environment, calendar);
      const wrong = this.#beliefs.get(channel)?.read(heard, this.#truth, isQuiet) ?? [];
      for (const problem of [...wrong, ...misfits('notice', notice)])
        this.#problems.push(`${channel}: ${this.#minute} ${notice.kind}: ${notice.headline} — ${problem}`);
    }
  }

  /** Notes a problem if a route got no notice of a scenario that has been down for a while, and no maintenance is the reason. */
  #noteSilence(now: number): void {
    const { routes = new Map(), everyMs = MINUTE } = this.#telling.options ?? {};
    for (const scenario of this.#monitored) {
      const { environment } = scenario;
      if (this.#isQuiet(environment, now + this.#ahead)) this.#keptBack.set(refOf(scenario), now);
      const since = this.#truth.downSince(scenario);
      // The monitor collects changes for a while, and then sends the notice within one interval. An outage that is still new needs no
      // notice.
      const isNew = now - Math.max(since ?? now, this.#keptBack.get(refOf(scenario)) ?? 0) < 3 * MINUTE + everyMs;
      const address = this.#played.addressOf(scenario);
      for (const [channel, belief] of isNew ? [] : this.#beliefs)
        if (
          (routes.get(channel)?.includes(environment) ?? true) &&
          !belief.holdsDown(scenario, now, this.#story.scenarios, address)
        )
          this.#problems.push(`${this.#minute} ${channel} does not know that ${refOf(scenario)} is down`);
    }
  }
}

/** Contradictions in the history, which must stay consistent even if somebody sets the calendar. */
function nonsenseIn({ db, scenarios, incidents }: RunRecorder, now: number): string[] {
  const reversed = incidents.all.filter(({ since, until = since }) => until < since);
  const broken = [...scenarios.monitored].filter((known) => {
    // The first status that the monitor sees causes no flip. So one flip may end in a good status, and the next flip begin with another good
    // status. All good statuses are equal here.
    const kinds = (status: Status) => (isBadStatus(status) ? status : 'well');
    const all = flips(db, known.id);
    const isChain = all.every(({ from }, index) => index === 0 || kinds(from) === kinds(all[index - 1]?.to ?? from));
    const isSound = windowsOf(db, known, now).every(
      ({ ratio = 0, downMs, observedMs, withoutData }) =>
        ratio >= 0 && ratio <= 1 && downMs >= 0 && downMs <= observedMs && withoutData >= 0 && withoutData <= 1,
    );
    return !isChain || !isSound;
  });
  return [
    ...reversed.map(({ id }) => `incident ${id} ended before it began`),
    ...broken.map((known) => `the history of ${refOf(known)} is nonsense`),
  ];
}

/**
 * Declares a test for each story: its first line is its name, lines with `→` are the expected notices, and other lines are events.
 * `ALL` is the number of areas, each with its own address.
 */
export function testStories(text: string, telling: Telling = {}): void {
  for (const { name, happens, expected } of storiesIn(text))
    test(name, () => {
      const { headlines, problems } = tellOutages(happens, telling);
      assert.deepEqual({ headlines, problems }, { headlines: expected, problems: [] });
    });
}
