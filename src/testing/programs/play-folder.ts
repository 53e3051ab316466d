import { loadEnvironment } from '../../environment/index.ts';
import { collect } from '../../run/in-process/collect-scenarios.ts';
import { exitCode, overallVerdict, runAll } from '../../run/index.ts';

// Plays the specs of a folder in an environment, as `check` does, and writes their results as JSON.
const [folder = '', name = ''] = process.argv.slice(2);
const all = await collect(folder);
const played = await runAll(all, { environment: loadEnvironment(name), seed: '1', runId: 'folder' });
const results = played.map(({ exchanges: _, failing: __, ...rest }) => rest);
const code = exitCode(overallVerdict(results.map(({ verdict }) => verdict)));
process.stdout.write(JSON.stringify({ titles: all.map(({ title }) => title), results, code }));
