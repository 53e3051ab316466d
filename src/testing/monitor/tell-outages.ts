import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Notice } from '../../monitor/alerting/notice.ts';
import type { Routes } from '../../monitor/alerting/routes.ts';
import { incidentTitle } from '../../monitor/alerting/wording.ts';
import type { RecorderOptions } from '../../monitor/recording/run-recorder.ts';
import type { AreaId } from '../../spec/index.ts';
import { storiesIn } from './notice-stories.ts';
import { MINUTE, type PlayedEnvironment, PlayedOutages, type PlayedScenario, type Trouble } from './played-outages.ts';

const START = Date.parse('2026-11-20T10:00:00Z');

interface Telling {
  /** The calendar is set from a minute on, by so many ms. */
  readonly jump?: readonly [at: number, ms: number];
  readonly options?: Partial<RecorderOptions>;
  /** A restart in which the routes change. */
  readonly rerouted?: { readonly at: number; readonly routes: Routes };
}

/**
 * What there is and what happens, in clauses: environments at a host, where `*` is the area, perhaps with a path that they share (`aa, bb at
 * h/p`), or with one address for all areas (`aa at h/`) · scenarios in an area (`block, list in friends`; default: block in friends, love in stories) · minutes in which an environment, an
 * area or a scenario is in trouble (`aa 5–20; aa/friends 30–40 500; aa/friends/block 50–60 broken`; default: refused), `unchosen` or, an
 * environment, in `maintenance` · `all 30–31 acknowledged` · `all 0–90 played`; default: 40 minutes.
 */
function read(story: string) {
  const environments: Record<string, PlayedEnvironment> = {};
  const titles: Record<string, AreaId> = {};
  const spans: { what: string; from: number; to: number; how: string }[] = [];
  for (const clause of story.split('; ')) {
    const [, names, word, where = '', path] = /^(.+) (at|in) ([^/]+)(?:\/(\w*))?$/.exec(clause) ?? [];
    const [, what = '', from, to, how = 'refused'] = /^(\S+) (\d+)–(\d+)(?: (\w+))?$/.exec(clause) ?? [];
    for (const name of names?.split(', ') ?? [])
      if (word === 'in') titles[name] = where as AreaId;
      else environments[name] = { host: where, ...(path === undefined ? {} : { path }) };
    if (!names) spans.push({ what: what || assert.fail(clause), from: Number(from), to: Number(to), how });
  }
  for (const { what, from, to } of spans.filter(({ how }) => how === 'maintenance')) {
    const window = { pattern: `${from} 10 * * *`, timeZone: 'UTC', durationMs: (to - from) * MINUTE };
    environments[what] = { host: '', ...environments[what], maintenance: [window] };
  }
  const areas = Object.entries(
    Object.keys(titles).length > 0 ? titles : ({ block: 'friends', love: 'stories' } as const),
  );
  const scenarios = Object.keys(environments).flatMap((environment) =>
    areas.map(([title, area]) => ({ environment, area, title })),
  );
  return { environments, scenarios, spans };
}

/** Plays a story on a real recorder, usually to one channel: the notices, `minute kind: headline` of each, and how many incidents are open in the end. */
export function tellOutages(t: TestContext, story: string, { jump, options, rerouted }: Telling = {}) {
  const { environments, scenarios, spans } = read(story);
  const played = new PlayedOutages(environments, options);
  t.after(() => played.end());
  const notices: (Notice & { readonly channel: string; readonly minute: number })[] = [];
  const told: string[] = [];
  const last = spans.find(({ how }) => how === 'played')?.to ?? 40;
  for (let minute = 0; minute <= last; minute++) {
    const steady = START + minute * MINUTE;
    const now = START + minute * MINUTE + (jump && minute >= jump[0] ? jump[1] : 0);
    const howIs = ({ environment, area, title }: PlayedScenario) => {
      const names = [environment, `${environment}/${area}`, `${environment}/${area}/${title}`];
      return spans
        .filter(({ what, from, to }) => names.includes(what) && minute >= from && minute < to)
        .map(({ how }) => how);
    };
    const isTurn = ({ from, to, how }: (typeof spans)[number]) =>
      how === 'unchosen' && (minute === from || minute === to);
    if (minute === rerouted?.at) played.options = { ...options, routes: rerouted.routes };
    if (minute === 0 || minute === rerouted?.at || spans.some(isTurn))
      played.start(
        scenarios.filter((one) => !howIs(one).includes('unchosen')),
        now,
        steady,
      );
    played.minute(
      now,
      (one) => howIs(one).find((how) => how !== 'maintenance') as Trouble | undefined,
      undefined,
      steady,
    );
    for (const { what } of spans.filter(({ from, how }) => how === 'acknowledged' && from === minute))
      for (const { id, environment, hits } of played.recorder.incidents.open)
        if (['all', environment, `${environment}/${hits[0]?.area}`].includes(what))
          played.recorder.handle(id, { at: now + 50_000, kind: 'acknowledged', person: 'Ada', text: '' });
    for (const { channel, notice } of played.notices()) {
      notices.push({ ...notice, channel, minute });
      told.push(`${minute} ${notice.kind}: ${notice.headline}`);
      assert.doesNotMatch(JSON.stringify(notice), /(?<![\w-])-\d|NaN|Infinity/);
    }
  }
  const { all, open } = played.recorder.incidents;
  return { notices, told, open: open.length, titles: all.map(incidentTitle) };
}

/**
 * Declares a test for each story: the first line is its name, the next ones are events, and those with `→` the notices.
 * `ALL` is the number of areas, each with its own address.
 */
export function testStories(text: string, telling: Telling = {}): void {
  for (const { name, happens, expected } of storiesIn(text))
    test(name, (t) => assert.deepEqual(tellOutages(t, happens, telling).told, expected));
}
