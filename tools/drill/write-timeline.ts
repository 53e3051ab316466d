import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { table } from '../pages/table.ts';
import { type Cell, problemsOf, runTimeline } from './timeline/play.ts';
import { services } from './timeline/services.ts';

// Plays every fault of the wire on every service, and writes docs/timeline.md.
const start = performance.now();
let played = 0;
const found = await runTimeline(
  Object.keys(services).map((service) => ({ service, from: 0, of: 1 })),
  () => {
    if (++played % 100 === 0) process.stderr.write(`${played} played\n`);
  },
);
const all = [...found].flatMap(([service, cells]) => cells.map((cell) => ({ service, cell })));
const count = (cells: readonly Cell[], is: (cell: Cell) => boolean) => cells.filter(is).length;
const page = [
  '# The timeline',
  'Each operation is broken in each way on a service that was healthy, looked at twice, and repaired. Expected: each look names the broken operation; a retry improves nothing; somebody is called; after the repair everything is green without help; no stored item counts as used that was not deleted. `npm run drill:timeline` makes this page.',
  'An operation that is *swallowed* answers with a success and does nothing; where nothing reads what it changes, that can’t be seen from outside. Operations 11 and 12 are one request, which stands as `updateProfile`.',
  table(
    ['service', 'faults', 'said at each look', 'not to be seen', 'somebody is called', 'healed', 'flaky', 'items lost'],
    [...found].map(([service, cells]) => [
      service,
      cells.length,
      count(cells, ({ said }) => said),
      count(cells, ({ isUnseen }) => isUnseen),
      count(cells, ({ called }) => called),
      count(cells, ({ healed }) => healed),
      count(cells, ({ isFlaky }) => isFlaky),
      cells.reduce((sum, { spent }) => sum + spent, 0),
    ]),
  ),
  'Deletions are played on the reference service alone: the others have a few stored items, which a healthy look uses up.',
].join('\n\n');
writeFileSync(join(projectRoot, 'docs', 'timeline.md'), `${page}\n`);
const wrong = all.filter(({ cell }) => problemsOf(cell).length > 0);
for (const { service, cell } of wrong)
  process.stdout.write(`${service}: ${cell.fault}\n${cell.detail.map((line) => `  ${line}\n`).join('')}`);
process.stdout.write(
  `${all.length - wrong.length} of ${all.length} as expected in ${Math.round((performance.now() - start) / 1000)} s\n`,
);
process.exitCode = wrong.length > 0 ? 1 : 0;
