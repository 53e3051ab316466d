import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Notice } from '../../monitor/alerting/notice.ts';
import type { RecorderOptions } from '../../monitor/recording/incident-log.ts';
import type { AreaId } from '../../spec/index.ts';
import { MINUTE, type PlayedEnvironment, PlayedOutages, type PlayedScenario, type Trouble } from './played-outages.ts';

const START = Date.parse('2026-11-20T10:00:00Z');

export interface Story {
  readonly environments: Readonly<Record<string, PlayedEnvironment>>;
  /** What is monitored in each environment; default: `block` and `love`. */
  readonly scenarios?: Readonly<Record<string, AreaId>>;
  /** Minutes in which an environment, an area or a scenario is in trouble: `aa 5–20; aa/friends 30–40 500; aa/friends/block 50–60 broken`. */
  readonly outages: string;
  /** What is monitored from a minute on; default: all. */
  readonly choice?: Readonly<Record<number, (scenario: PlayedScenario) => boolean>>;
  readonly acknowledgedAt?: number;
  /** The calendar is set from a minute on, by so many ms. */
  readonly jump?: readonly [at: number, ms: number];
  readonly minutes: number;
  /** Runs of one transaction; default: each is written alone. */
  readonly atOnce?: number;
  readonly options?: Partial<RecorderOptions>;
}

/** Plays outages on a real recorder, to one channel: its notices, and how many incidents are open in the end. */
export function tellOutages(t: TestContext, story: Story) {
  const { environments, scenarios = { block: 'friends', love: 'stories' }, choice = {}, jump, minutes } = story;
  const all = Object.keys(environments).flatMap((environment) =>
    Object.entries(scenarios).map(([title, area]) => ({ environment, area, title })),
  );
  const troubles = story.outages.split('; ').map((part) => {
    const [what = '', span = '', trouble = 'refused'] = part.split(' ');
    const [from = 0, to = 0] = span.split('–').map(Number);
    return { what, from, to, trouble: trouble as Trouble };
  });
  const played = new PlayedOutages(environments, story.options);
  t.after(() => played.end());
  const notices: Notice[] = [];
  const told: string[] = [];
  for (let minute = 0; minute <= minutes; minute++) {
    const now = START + minute * MINUTE + (jump && minute >= jump[0] ? jump[1] : 0);
    const chosen = choice[minute];
    if (minute === 0 || chosen) played.start(all.filter(chosen ?? (() => true)), now);
    const troubleOf = ({ environment, area, title }: PlayedScenario) => {
      const names = [environment, `${environment}/${area}`, `${environment}/${area}/${title}`];
      return troubles.find(({ what, from, to }) => names.includes(what) && minute >= from && minute < to)?.trouble;
    };
    played.minute(now, troubleOf, undefined, story.atOnce);
    if (minute === story.acknowledgedAt)
      for (const { id } of played.recorder.incidents.open)
        played.recorder.handle(id, { at: now + 50_000, kind: 'acknowledged', person: 'Ada', text: '' });
    for (const { notice } of played.notices()) {
      notices.push(notice);
      told.push(`${minute} ${notice.kind}: ${notice.headline}`);
      assert.doesNotMatch(JSON.stringify(notice), /(?<![\w-])-\d|NaN|Infinity/);
    }
  }
  return { notices, told, open: played.recorder.incidents.open.length };
}
