import fc from 'fast-check';
import { playWorld } from '../../../src/testing/monitor/play-world.ts';
import { MINUTE, PlayedOutages, type PlayedScenario } from '../../../src/testing/monitor/played-outages.ts';
import { worlds } from '../../../src/testing/monitor/random-worlds.ts';
import { numberArgument, print } from './figures.ts';

/** Plays random worlds, and a day of every kind of flapping; prints how many notices one channel gets. */
const numRuns = numberArgument('worlds', 1_000);

const START = Date.parse('2026-11-20T00:00:00Z');
const scenario = (environment: string, title: string): PlayedScenario => ({ environment, title, area: 'friends' });

/** Notices of a day in which each scenario fails for `bad` runs, is well for `good` runs, and so on, each beginning a little later. */
function flappingDay(all: readonly PlayedScenario[], bad: number, good: number): number {
  const played = new PlayedOutages({ aa: { host: 'h' }, bb: { host: 'i' } });
  try {
    played.start(all, START);
    const period = bad + good;
    for (let minute = 0; minute < 1_440; minute++)
      played.minute(START + minute * MINUTE, (one) => {
        const shift = Math.floor((all.indexOf(one) * period) / all.length);
        return (minute + shift) % period < bad ? 'broken' : undefined;
      });
    return played.notices().length;
  } finally {
    played.end();
  }
}

const alone = [scenario('aa', 'block')];
const many = ['aa', 'bb'].flatMap((name) => ['block', 'list', 'love'].map((title) => scenario(name, title)));
for (const [name, all] of [
  ['one scenario', alone],
  ['six scenarios of two hosts, one after the other', many],
] as const) {
  const days = [1, 3].flatMap((bad) =>
    [2, 4, 6, 11, 21, 31, 41, 61, 75, 90, 120].map((good) => ({ bad, good, notices: flappingDay(all, bad, good) })),
  );
  const worst = days.reduce((a, b) => (b.notices > a.notices ? b : a));
  print(
    `${name}, flapping for a day: at most ${worst.notices} notices (${worst.bad} bad runs, ${worst.good} good ones); by good runs: ${days.map(({ bad, good, notices }) => `${bad}+${good}: ${notices}`).join(', ')}`,
  );
}

let [minutes, notices] = [0, 0];
fc.assert(
  fc.property(worlds, (steps) => {
    const played = playWorld(steps);
    minutes += played.minutes;
    notices += played.notices.length / 2;
    if (played.problems.length > 0) throw new Error(played.problems.join('\n'));
  }),
  { numRuns },
);
print(
  `${numRuns} random worlds, ${Math.round(minutes / 60)} hours: nothing false, nothing silent; ${(notices / (minutes / 1_440)).toFixed(1)} notices a day and channel`,
);
