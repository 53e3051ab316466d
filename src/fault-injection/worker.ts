import { faults, variants } from '../../reference-service/index.ts';
import { allScenarios } from '../runner/index.ts';
import { DRILL_SEED } from './drill.ts';
import { drillHere } from './drill-one.ts';
import { ownTasks } from './in-processes.ts';

// A drill process: it receives names of faults and variants, and sends the outcome of each.
const names = await ownTasks<string>();
const changes = [...faults, ...variants].filter(({ name }) => names.includes(name));
await drillHere(changes, { scenarios: await allScenarios(), seed: DRILL_SEED }, (name, outcome) =>
  process.send?.({ name, outcome }),
);
process.disconnect?.();
