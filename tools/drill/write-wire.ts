import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownReadProfile } from '../../reference-service/index.ts';
import { projectRoot } from '../../src/config/project-root.ts';
import { inProcesses } from '../../src/drill/in-processes.ts';
import { committedMatrix, wireFaults, wireScore } from '../../src/drill/index.ts';
import { table } from '../pages/table.ts';
import { services } from './timeline/services.ts';
import type { PlayedDrill } from './wire/play.ts';

// Drills every fault of the wire on every service, and writes docs/wire-faults.md.
const played: PlayedDrill[] = [];
await inProcesses({
  module: join(import.meta.dirname, 'wire', 'play.ts'),
  tasks: Object.keys(services),
  processes: 4,
  onMessage: (drill: PlayedDrill) => {
    played.push(drill);
    process.stderr.write(`${drill.service}: ${wireScore(drill.outcomes).caught} of ${drill.outcomes.length}\n`);
  },
});
const names = Object.keys(services);
played.sort((a, b) => names.indexOf(a.service) - names.indexOf(b.service));

const all = wireFaults(ownReadProfile);
const known = new Map(committedMatrix().faults.map(({ name, caughtBy }) => [name, caughtBy.length > 0]));
const reference = played.find(({ service }) => service === 'reference')?.outcomes ?? [];
const shared = reference.filter(({ name }) => known.has(name));
const different = shared.filter(({ name, became }) => (became === 'caught') !== known.get(name));
const missed = played.flatMap(({ service, outcomes }) =>
  outcomes.filter(({ became }) => became !== 'caught').map((outcome) => ({ service, ...outcome })),
);
const unlike = played.filter(({ isSame, left }) => !isSame || left > 0);

const page = [
  '# The faults of the wire',
  'What `sextant drill --env NAME` breaks, and what comes of it on the reference service and on services that the suite was not made with, each as a team without a provisioner has it. `npm run drill:wire` makes this page.',
  table(
    ['service', 'faults', 'red', 'of them yellow', "can't be seen", 'survived', 'requests', 'as before'],
    played.map(({ service, outcomes, requests, isSame, left }) => [
      service,
      outcomes.length,
      wireScore(outcomes).caught,
      outcomes.filter(({ isYellow }) => isYellow).length,
      outcomes.filter(({ became }) => became === 'unseen').length,
      outcomes.filter(({ became }) => became === 'survived').length,
      requests,
      isSame && left === 0 ? 'yes' : '**no**',
    ]),
  ),
  '*Yellow*: the suite says that it is slow; the exit code of a gate stays 0. *As before*: the lists and profiles of both users, read past the suite, and an empty undo journal.',
  '## The table',
  table(
    ['fault, after the operation', 'kind', 'operations'],
    [...Map.groupBy(all, ({ name, operation }) => name.slice(operation.id.length + 1))].map(([name, those]) => [
      `\`${name}\``,
      those[0]?.way.kind ?? '',
      those.length === new Set(all.map(({ operation }) => operation.id)).size
        ? 'all'
        : those.map(({ operation }) => operation.id).join(', '),
    ]),
  ),
  '## The reference service’s own drill',
  `${shared.length} faults have the same name there, and ${shared.length - different.length} get the same verdict.${different.map(({ name, reason }) => `\n\n- \`${name}\`: ${reason}`).join('')}`,
  '## What is missed, and why',
  table(
    ['fault', 'why', 'services'],
    [...Map.groupBy(missed, ({ name, reason }) => `\`${name}\` | ${(reason ?? '').replaceAll('|', '\\|')}`)].map(
      ([what, those]) => [what, those.map(({ service }) => service).join(' · ')],
    ),
  ),
].join('\n\n');
writeFileSync(join(projectRoot, 'docs', 'wire-faults.md'), `${page}\n`);
for (const { service, left } of unlike) process.stdout.write(`${service} is not as before: ${left} changes left\n`);
process.exitCode = unlike.length + different.length > 0 ? 1 : 0;
