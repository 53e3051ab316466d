import fc from 'fast-check';
import type { MaintenanceRule } from '../../config/index.ts';
import { MINUTE, type PlayedEnvironment, type PlayedScenario, type Trouble } from './played-outages.ts';

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
  pause: fc.constantFrom(0, 0, 0, 1, 2, 7, 20, 45, 90, 200),
});

export type WorldStep = typeof step extends fc.Arbitrary<infer Step> ? Step : never;

/** What happens in a world, step by step. */
export const worlds = fc.array(step, { minLength: 1, maxLength: 20 });
