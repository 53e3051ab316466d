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
  /** A second may end between any two runs; otherwise it ends after all of a minute. */
  readonly isUneven?: boolean;
  /** A restart in which the routes change. */
  readonly rerouted?: { readonly at: number; readonly routes: Routes };
}

/** Events that are no trouble of a scenario. */
const deeds: ReadonlySet<string> = new Set(['maintenance', 'unchosen', 'acknowledged', 'restarted', 'played']);

/**
 * What there is and what happens, in clauses: environments at a host, where `*` is the area, perhaps with a path that they share (`aa, bb at
 * h/p`), or with one address for all areas (`aa at h/`) · scenarios in an area (`block, list in friends`; default: block in friends, love in stories) ·
 * minutes in which a host, an environment, an area or a scenario is in trouble (`aa 5–20; aa/friends 30–40 500; aa/friends/block 50–60 broken`;
 * default: refused; the first clause counts), `unseen` (nobody looks), `unchosen` or, an environment, in `maintenance` every day · what happens in a
 * minute: `all 30–31 acknowledged`, `restarted`, `set-61` (the calendar, by so many minutes) · `all 0–90 played`; default: 40 minutes.
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
 * Plays a story on a real recorder, usually to one channel. Returns the notices, `minute kind: headline` of each, by channel
 * `minute kind: environments`, how many incidents are open in the end, or believed to be (`still`: by whom), and in `problems` what was not true, whatever the story.
 */
export function tellOutages(story: string, { options = {}, isUneven = false, rerouted }: Telling = {}) {
  const { environments, scenarios, spans } = read(story);
  const { channels = ['webhook'], routes = new Map(), rule = { upAfter: 2 }, everyMs = MINUTE } = options;
  const played = new PlayedOutages(environments, options);
  const truth = new Truth(rule.upAfter);
  const beliefs = new Map(channels.map((channel) => [channel, new Belief()]));
  const notices: (Notice & { readonly channel: string; readonly minute: number })[] = [];
  const told: string[] = [];
  const problems: string[] = [];
  /** When notices were last kept back, for each scenario. */
  const keptBack = new Map<string, number>();
  let monitored: readonly PlayedScenario[] = [];
  let minute = 0;
  /** The calendar minus the clock that can't be set, in ms. */
  let ahead = 0;

  const at = (span: (typeof spans)[number]) => minute >= span.from && minute < span.to;
  const begin = (how: string) => spans.filter((span) => span.how === how && span.from === minute);
  const howIs = ({ environment, area, title }: PlayedScenario) => {
    const { host = '' } = environments[environment] ?? {};
    const names = ['all', host, environment, `${environment}/${area}`, `${environment}/${area}/${title}`];
    return spans.filter((span) => at(span) && names.includes(span.what)).map(({ how }) => how);
  };
  const troubleOf = (one: PlayedScenario) => {
    const all = howIs(one).filter((how) => !deeds.has(how) && !how.startsWith('set'));
    return (all.includes('unseen') ? 'unseen' : all[0]) as Trouble | undefined;
  };
  const isQuiet = (environment: string, calendar: number) => {
    const ofDay = (((calendar - START) / MINUTE) % DAY) + DAY;
    const isIn = ({ from, to }: (typeof spans)[number]) => ofDay % DAY >= from && ofDay % DAY < to;
    return spans.some((span) => span.how === 'maintenance' && span.what === environment && isIn(span));
  };
  const listen = () => {
    for (const { channel, notice, at: calendar } of played.notices()) {
      const line = `${minute} ${notice.kind}: ${notice.headline}`;
      notices.push({ ...notice, channel, minute });
      told.push(line);
      const heard = { channel, notice, at: calendar - ahead };
      const wrong = beliefs.get(channel)?.read(heard, truth, (environment) => isQuiet(environment, calendar)) ?? [];
      problems.push(...[...wrong, ...misfits('notice', notice)].map((problem) => `${channel}: ${line} — ${problem}`));
    }
  };
  /** Every route knows each scenario that is down for long enough, unless maintenance keeps notices back. */
  const nothingIsSilent = (now: number) => {
    for (const scenario of monitored) {
      const { environment } = scenario;
      if (isQuiet(environment, now + ahead)) keptBack.set(refOf(scenario), now);
      const since = truth.downSince(scenario);
      // A notice follows within an interval after the time that collects changes.
      const isNew = now - Math.max(since ?? now, keptBack.get(refOf(scenario)) ?? 0) < 3 * MINUTE + everyMs;
      for (const [channel, belief] of isNew ? [] : beliefs)
        if (
          (routes.get(channel)?.includes(environment) ?? true) &&
          !belief.holdsDown(scenario, now, scenarios, played.addressOf(scenario))
        )
          problems.push(`${minute} ${channel} does not know that ${refOf(scenario)} is down`);
    }
  };

  try {
    const last = spans.find(({ how }) => how === 'played')?.to ?? 40;
    for (; minute <= last; minute++) {
      const steady = START + minute * MINUTE;
      const sets = spans.filter(({ how, from }) => how.startsWith('set') && from === minute);
      ahead += sets.reduce((sum, { how }) => sum + Number(how.slice(3)) * MINUTE, 0);
      const isTurn = spans.some(({ from, to, how }) => how === 'unchosen' && (minute === from || minute === to));
      if (minute === rerouted?.at) played.options = { ...options, routes: rerouted.routes };
      if (minute === 0 || minute === rerouted?.at || isTurn || begin('restarted').length > 0) {
        monitored = scenarios.filter((one) => !howIs(one).includes('unchosen'));
        for (const scenario of scenarios) if (!monitored.includes(scenario)) truth.forget(scenario);
        played.start(monitored, steady + ahead, steady);
      }
      const isPause = spans.some((span) => span.what === 'all' && span.how === 'unseen' && at(span));
      if (!isPause)
        played.minute(
          steady + ahead,
          troubleOf,
          (scenario) => {
            truth.ran(scenario, troubleOf(scenario), steady);
            if (isUneven && minute % 2 === 0) played.pass(steady + ahead, steady);
            listen();
          },
          steady,
        );
      listen();
      for (const { what } of begin('acknowledged'))
        for (const { id, environment, hits } of played.recorder.incidents.open)
          if (['all', environment, `${environment}/${hits[0]?.area}`].includes(what))
            played.recorder.handle(id, { at: steady + ahead, kind: 'acknowledged', person: 'Ada', text: '' });
      if (isPause && minute % 2 === 0) played.pass(steady + ahead + 45_000, steady + 45_000);
      listen();
      nothingIsSilent(steady);
    }
    const { all, unsettled } = played.recorder.incidents;
    const still = [...beliefs].flatMap(([channel, { all: known }]) => known.map((ref) => `${channel} believes ${ref}`));
    const briefly = (of: typeof notices) =>
      of.map(({ kind, headline, ...one }) => `${one.minute} ${kind}: ${headline.split(':')[0]}`);
    const heard = Object.fromEntries(
      channels.map((channel) => [channel, briefly(notices.filter((one) => one.channel === channel))]),
    );
    const history = nonsenseIn(played.recorder, START + last * MINUTE + ahead);
    return {
      notices,
      told,
      heard,
      problems: [...problems, ...history],
      still,
      unsettled: unsettled.length,
      titles: all.map(incidentTitle),
    };
  } finally {
    played.end();
  }
}

/** The history must be consistent even if somebody set the calendar. */
function nonsenseIn({ db, scenarios, incidents }: RunRecorder, now: number): string[] {
  const reversed = incidents.all.filter(({ since, until = since }) => until < since);
  const broken = [...scenarios.monitored].filter((known) => {
    // That something is seen for the first time is no flip.
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
 * Declares a test for each story: the first line is its name, the next ones are events, and those with `→` the notices.
 * `ALL` is the number of areas, each with its own address.
 */
export function testStories(text: string, telling: Telling = {}): void {
  for (const { name, happens, expected } of storiesIn(text))
    test(name, () => {
      const { told, problems } = tellOutages(happens, telling);
      assert.deepEqual({ told, problems }, { told: expected, problems: [] });
    });
}
