import type { Finding } from './finding.ts';
import { foreignUser } from './plays/foreign-user.ts';
import { gates } from './plays/gates.ts';
import { pipefail } from './plays/pipefail.ts';
import { shards } from './plays/shards.ts';
import { sizes } from './plays/sizes.ts';
import { Stage } from './stage.ts';

/** A play: yields what it finds. */
export type Play = (stage: Stage) => AsyncGenerator<Finding>;

const plays: Readonly<Record<string, Play>> = { shards, gates, foreignUser, pipefail, sizes };

/** `npm run pipelines [name…]`: plays pipelines on this machine, in fresh clones of the last commit; needs git and bash. */
if (import.meta.main) {
  const chosen = process.argv.slice(2);
  let failed = 0;
  const stage = await Stage.open();
  try {
    for (const [name, play] of Object.entries(plays)) {
      if (chosen.length > 0 && !chosen.includes(name)) continue;
      process.stdout.write(`${name}\n`);
      for await (const { what, found, holds, said } of play(stage)) {
        if (holds === false) failed++;
        process.stdout.write(`  ${holds === undefined ? '     ' : holds ? 'ok   ' : 'FAIL '}${what}: ${found}\n`);
        if (holds === false && said) process.stdout.write(`${lastLines(said)}\n`);
      }
    }
  } finally {
    await stage.close();
  }
  process.exitCode = failed > 0 ? 1 : 0;
}

/** Enough to see why. */
function lastLines(said: string): string {
  return said
    .trimEnd()
    .split('\n')
    .slice(-30)
    .map((line) => `       | ${line}`)
    .join('\n');
}
