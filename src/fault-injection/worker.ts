import { faults, variants } from '../../reference-service/index.ts';
import { allScenarios } from '../runner/index.ts';
import { type DrillTask, drillHere } from './drill.ts';
import { ownTasks } from './in-processes.ts';

// A drill process: it receives faults and variants, and sends the outcome of each.
const only = Object.fromEntries(await ownTasks<DrillTask>());
const changes = [...faults, ...variants].filter(({ name }) => name in only);
await drillHere(changes, { scenarios: await allScenarios(), only }, (name, outcome) =>
  process.send?.({ name, outcome }),
);
process.disconnect?.();
