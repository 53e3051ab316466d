import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../src/config/index.ts';
import { madeUpScenarios } from './scenario-list.ts';
import { startWorld, type World } from './start-world.ts';

/** A year of two environments, with three scenarios down now, in an empty folder; its figures are read. */
export async function threeDown(data: string): Promise<World> {
  const environments = ['made-up-production', 'made-up-staging'];
  const world = await startWorld({ environments, days: 365, hourDays: 8, runHours: 1, now: Date.now(), data });
  const broken = {
    reason: 'documented: it succeeds (2xx) — 500 Internal Server Error',
    status: 500,
    operation: 'love' as const,
  };
  const reason =
    'documented: the list mentions a friend just blocked — "b7c1…" not found in 14 entries (after 2,000 ms)';
  const [production, staging] = world.environments as [Environment, Environment];
  await Promise.all([
    ...world.environments.flatMap((each) => madeUpScenarios.map(([title, area]) => world.run(each, title, area))),
    world.run(production, 'love, then unlove', 'stories', broken),
    world.run(production, 'love twice', 'stories', broken),
    world.run(staging, 'block, then list, then unblock', 'friends', { reason, status: 200, operation: 'listBlocked' }),
  ]);
  while (/id="s\d+".*class="p95">…</.test(await (await fetch(world.url)).text())) await wait(500);
  return world;
}
