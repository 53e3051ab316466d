import { startBenchEnvironment } from './bench-environment.ts';
import { keep, loadNow, type Measured } from './results.ts';
import { type Measure, Unmeasurable } from './row.ts';
import { cpuAgainstBlackbox } from './rows/cpu-against-blackbox.ts';
import { cpuAgainstFetch } from './rows/cpu-against-fetch.ts';
import { furtherRequest } from './rows/further-request.ts';
import { help } from './rows/help.ts';
import { monitorMany } from './rows/monitor-many.ts';
import { monitorRemote } from './rows/monitor-remote.ts';
import { openApiFaults } from './rows/openapi-faults.ts';
import { wholeCheck } from './rows/whole-check.ts';
import { wholeSuite } from './rows/whole-suite.ts';

/** `npm run bench` measures all of them, `npm run bench -- help whole-check` these two. */
const measures: Readonly<Record<string, Measure>> = {
  'cpu-against-fetch': cpuAgainstFetch,
  'cpu-against-blackbox': cpuAgainstBlackbox,
  'whole-check': wholeCheck,
  help,
  'monitor-remote': monitorRemote,
  'monitor-many': monitorMany,
  'further-request': furtherRequest,
  'whole-suite': wholeSuite,
  'openapi-faults': openApiFaults,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(measures, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no row ${unknown.join(', ')}. There are ${Object.keys(measures).join(', ')}.\n`);
  process.exit(2);
}

const rows: Record<string, Measured> = {};
for (const name of asked.length > 0 ? asked : Object.keys(measures)) {
  process.stderr.write(`${name} …\n`);
  const bench = await startBenchEnvironment();
  Object.assign(process.env, bench.env);
  const before = loadNow();
  try {
    const row = await (measures[name] as Measure)(bench);
    rows[name] = { ...row, at: new Date().toISOString(), load: [before, loadNow()] };
    const { met, figure, aim, what, details } = row;
    process.stdout.write(`${met ? 'met   ' : 'MISSED'}  ${figure}  ${aim}  ${what}  ${JSON.stringify(details)}\n`);
  } catch (error) {
    if (!(error instanceof Unmeasurable)) throw error;
    process.stdout.write(`skipped  ${name}: ${error.message}\n`);
  } finally {
    bench.stop();
  }
}
keep(rows);
