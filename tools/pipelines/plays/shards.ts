import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Summary } from '../../../src/reporting/summary.ts';
import type { Finding } from '../finding.ts';
import type { Stage } from '../stage.ts';

/** Four shards at once in four fresh clones with no shared state, merged in a fifth; then one of them gets lost. */
export async function* shards(stage: Stage): AsyncGenerator<Finding> {
  stage.environment('own-users', { PROVISION_URL: stage.service.provisionUrl });
  stage.environment('shared-users');
  for (const name of ['own-users', 'shared-users']) {
    const clones = [1, 2, 3, 4].map(() => stage.clone());
    const pipeline = { GITHUB_RUN_ID: `run of ${name}` };
    const start = performance.now();
    const ran = await Promise.all(
      clones.map((clone, index) =>
        stage.run(clone, `npx sextant test --env ${name} --yes --shard ${index + 1}/4`, pipeline),
      ),
    );
    const seconds = ((performance.now() - start) / 1_000).toFixed(0);
    const codes = ran.map(({ code }) => code).join(' ');
    const said = ran.map((each) => each.said).join('\n');
    yield { what: `${name}: four shards in ${seconds} s`, found: `exit ${codes}`, holds: codes === '0 0 0 0', said };

    const merging = stage.clone();
    const folders = clones.map((clone) => join(clone, 'results'));
    const merged = await stage.run(merging, `npx sextant report --merge ${folders.join(' ')}`);
    const total = summaryIn(join(merging, 'results'));
    const sum = folders.map(summaryIn).reduce((all, { passed }) => all + passed, 0);
    yield {
      what: `${name}: merged`,
      found: `exit ${merged.code}, ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`,
      holds: merged.code === 0 && total.passed === sum && sum > 0,
      said: merged.said,
    };
    const lost = await stage.run(merging, `npx sextant report --merge ${folders.slice(1).join(' ')}`);
    const isSaid = lost.said.includes('shard 1 of 4 is missing');
    yield {
      what: `${name}: without the first shard`,
      found: `exit ${lost.code}`,
      holds: lost.code === 3 && isSaid,
      said: lost.said,
    };
  }
}

function summaryIn(folder: string): Summary {
  return JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as Summary;
}
