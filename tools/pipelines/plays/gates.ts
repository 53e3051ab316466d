import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../finding.ts';
import type { Stage } from '../stage.ts';

const GATE = 'npx sextant test --env gate --yes && npx allure quality-gate --config allurerc.ts results/allure-results';

/** Release gates one after the other in fresh clones: with the state that the recipes keep, and without. */
export async function* gates(stage: Stage): AsyncGenerator<Finding> {
  const [first, second] = await stage.items(2);
  stage.environment('gate', { STORED_ITEM_IDS: `${first},${second}` });
  const clones = [1, 2, 3, 4].map(() => stage.clone());
  for (const [index, clone] of clones.entries()) {
    const isKept = index === 1 || index === 2;
    if (isKept) cpSync(join(clones[index - 1] as string, '.sextant'), join(clone, '.sextant'), { recursive: true });
    const { code, said } = await stage.run(clone, GATE);
    const state = index === 0 ? 'the first' : isKept ? 'with the state of the last' : 'without any state';
    const asks = /^ *unknown .*give fresh ids/m.test(said);
    const isGreen = index < 2;
    yield {
      what: `gate ${index + 1}, ${state}; ${Math.max(0, 2 - index)} of 2 items left`,
      found: `exit ${code}${asks ? ', and asks for fresh ids' : ''}`,
      holds: isGreen ? code === 0 : code === 3 && asks,
      said,
    };
  }
}
