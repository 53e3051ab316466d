import { setTimeout as wait } from 'node:timers/promises';
import { madeUpScenarios } from '../made-up-world/scenario-list.ts';
import { startWorld, type World } from '../made-up-world/start-world.ts';

/** A made-up state of the world to take pictures of. */
export interface Pictured {
  readonly name: string;
  readonly environments: readonly string[];
  /** Makes the state of now. */
  readonly happen: (world: World) => readonly Promise<void>[];
}

const many = Array.from({ length: 200 }, (_, index) => `made-up-${String(index + 1).padStart(3, '0')}`);

function allPass(world: World): Promise<void>[] {
  return world.environments.flatMap((environment) =>
    madeUpScenarios.map(([title, area]) => world.run(environment, title, area)),
  );
}

export const worlds: readonly Pictured[] = [
  { name: 'all-up', environments: ['made-up-staging'], happen: allPass },
  {
    name: 'three-down',
    environments: ['made-up-production', 'made-up-staging'],
    happen: (world) => {
      const [production, staging] = world.environments;
      if (!production || !staging) return [];
      const broken = 'documented: it succeeds (2xx) — 500 Internal Server Error';
      const gone =
        'documented: the list mentions a friend just blocked — "b7c1…" not found in 14 entries (after 2,000 ms)';
      return [
        ...allPass(world),
        world.run(production, 'love, then unlove', 'stories', { reason: broken, status: 500 }),
        world.run(production, 'love twice', 'stories', { reason: broken, status: 500 }),
        world.run(staging, 'block, then list, then unblock', 'friends', { reason: gone, status: 200 }),
      ];
    },
  },
  {
    name: 'one-host-gone',
    environments: many,
    happen: (world) => {
      const gone = world.environments[116];
      if (!gone) return [];
      return madeUpScenarios.map(([title, area]) =>
        world.run(gone, title, area, { reason: 'no connection: connection refused (ECONNREFUSED)' }),
      );
    },
  },
];

/** Starts the world in an empty folder and waits until its figures are read. */
export async function pictured({ environments, happen }: Pictured, data: string): Promise<World> {
  const days = environments.length > 10 ? 90 : 365;
  const world = await startWorld({
    environments,
    days,
    hourDays: days > 90 ? 8 : 1,
    runHours: 1,
    now: Date.now(),
    data,
  });
  await Promise.all(happen(world));
  for (;;) {
    const text = await (await fetch(world.url)).text();
    if (!/id="s\d+".*class="p95">…</.test(text)) return world;
    await wait(500);
  }
}
