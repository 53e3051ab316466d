import { areaIds } from '../../../src/spec/index.ts';
import { MINUTE, PlayedOutages, type PlayedScenario } from '../../../src/testing/monitor/played-outages.ts';
import { numberArgument, percentileOf, print } from './figures.ts';

/** Everything goes down within a minute, stays down for ten, and recovers; prints what that costs the process that records it. */
const environments = numberArgument('environments', 200);
const START = Date.parse('2026-11-20T00:00:00Z');

for (const [name, hostOf] of [
  ['one host', () => 'h'],
  ['a host for each environment', (index: number) => `h${index}`],
] as const) {
  const names = Array.from({ length: environments }, (_, index) => `size-${index + 1}`);
  const played = new PlayedOutages(
    Object.fromEntries(names.map((environment, index) => [environment, { host: hostOf(index) }])),
  );
  const all = names.flatMap((environment) =>
    Array.from({ length: 22 }, (_, index): PlayedScenario => {
      const area = areaIds[index % areaIds.length] as PlayedScenario['area'];
      return { environment, title: `scenario ${index}`, area };
    }),
  );
  played.start(all, START);
  let now = START;
  for (const [what, minutes, trouble] of [
    ['well', 1, undefined],
    ['down', 1, 'refused'],
    ['still down', 10, 'refused'],
    ['recovering', 2, undefined],
    ['up', 2, undefined],
  ] as const) {
    const steps: number[] = [];
    for (let minute = 0; minute < minutes; minute++, now += MINUTE)
      steps.push(...played.spreadMinute(now, () => trouble));
    const ms = steps.reduce((sum, each) => sum + each, 0);
    const told = played.notices();
    print(
      `${name}, ${what}, ${minutes} min: ${(ms / 1_000).toFixed(2)} s, a step p99 ${percentileOf(steps, 99).toFixed(1)} ms, at most ${Math.max(...steps).toFixed(1)} ms; ${told.length} notices, ${played.recorder.incidents.open.length} incidents open`,
    );
  }
  played.end();
}
