import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tests of the machinery alone: they wait for deadlines, clocks and disks, and name nothing that an addition adds. */
const ofMachinery = [
  'fixtures/transports.test.ts',
  'src/cli/{broken-files,fuzz}.test.ts',
  'src/client/http',
  'src/client/redaction/linear-work.test.ts',
  'src/config/files',
  'src/config/import',
  'src/monitor/*.test.ts',
  'src/monitor/{alerting/outbox-dispatcher.test.ts,history,metrics,probe,recording,schedule,settings,status,status-page}',
  'src/prober',
  'src/runner/{contract,flapping,over-time,restore,run-all,shared-users,undo}.test.ts',
  'src/scenario/{journal,model-based}',
  'src/serving',
  'src/survey/{compare,drift.test.ts,endings.test.ts,hold-facts.test.ts,variants.test.ts}',
  'tools/deploy/{end-to-end,kubernetes}',
  'tools/test-runner',
];

/** What additions extend: a test that names nothing of it, and no file of the project, sees none of them. */
const EXTENDED =
  /\b(operationIds|operationsWith|operations|areaIds|areas|channelTypes|verdicts|serviceReadings|faults|variants|commands|secretForms|projectRoot|globSync|allScenarios|scenarios\(|experiments|questions)\b/;

/** Hermetic tests that no addition can break. What those outside src/ go by is not seen in their text. */
export function unaffected(folder: string): string[] {
  const tests = globSync('src/**/*.test.ts', { cwd: folder });
  return [...ofMachinery, ...tests.filter((file) => !EXTENDED.test(readFileSync(join(folder, file), 'utf8')))];
}
