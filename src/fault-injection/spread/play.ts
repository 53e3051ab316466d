import { randomUUID } from 'node:crypto';
import { type CataloguedFault, type Service, seeded, startService } from '../../../reference-service/index.ts';
import { verdicts } from '../../client/index.ts';
import { fileRoles, remove } from '../../config/files/index.ts';
import type { Environment } from '../../config/index.ts';
import { runScenario, type Scenario } from '../../runner/index.ts';
import { nodeTransports, runFolder } from '../../scenario/index.ts';
import { isAlarm } from '../detection.ts';
import { drillEnvironment } from '../drill-environment.ts';
import { asRed } from '../drill-one.ts';
import type { Red } from '../drilled.ts';
import type { Row } from './pairwise.ts';
import type { Played } from './played.ts';
import { changesOf, hasProvisioner, successRuleOf } from './readings.ts';

/** Only what never comes uses it up. Where lists are a read behind, two reads must be made in time, on a busy machine too. */
const consistencyMs = ({ listLag }: Row) => (listLag === 'some' ? 2_000 : 400);

/** More stored items than all scenarios delete without a provisioner. */
const STORED_ITEMS = 60;

/** Plays scenarios on a service of one row of readings, with a fault in it where there is one. */
export async function play(
  row: Row,
  fault: CataloguedFault | undefined,
  scenarios: readonly Scenario[],
  seed: string,
): Promise<Played> {
  const service = await startService({ port: 0, quiet: true });
  // A fault of the wire may leave a connection behind that the next scenario would stumble over.
  const shared = fault?.kind === 'wire' ? undefined : nodeTransports();
  const [ran, unproven, skipped]: string[][] = [[], [], []];
  const red: Red[] = [];
  // One run: what it finds out of the readings it remembers, as in any environment.
  const runId = randomUUID();
  try {
    const environment = await environmentOf(service, row, fault);
    service.faults.set(...(fault ? [fault] : []), ...changesOf(row, fault?.operation ?? ''));
    for (const scenario of scenarios) {
      const transports = shared ?? nodeTransports();
      const result = await runScenario(scenario, { environment, seed, runId, transports });
      if (!shared) await transports.dispose();
      const { title, verdict } = result;
      if (result.unproven) unproven?.push(title);
      else if (!verdicts[verdict].ran) skipped?.push(title);
      else ran?.push(title);
      if (isAlarm(result)) red.push(asRed(result));
    }
    return { ran: ran ?? [], red, unproven: unproven ?? [], skipped: skipped ?? [] };
  } finally {
    remove(runFolder(runId), fileRoles.output);
    await shared?.dispose();
    await service.stop();
  }
}

async function environmentOf(service: Service, row: Row, fault: CataloguedFault | undefined): Promise<Environment> {
  const deadlines = { consistencyTimeoutMs: consistencyMs(row), ...fault?.deadlines };
  const { provisionUrl, ...environment } = drillEnvironment(service, deadlines);
  const successWhen = successRuleOf(row);
  const common = { ...environment, ...(successWhen ? { successWhen } : {}) };
  if (hasProvisioner(row)) return { ...common, ...(provisionUrl ? { provisionUrl } : {}) };
  const storedItemIds = await storedItems(service);
  // Runs store their knowledge of an environment by its name.
  return { ...common, name: `drill-${randomUUID()}`, data: { ...common.data, storedItemIds } };
}

async function storedItems({ provisionUrl }: Service): Promise<string[]> {
  const response = await fetch(new URL('items', `${provisionUrl}/`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: seeded.caller.userId, count: STORED_ITEMS }),
  });
  return ((await response.json()) as { readonly itemIds: string[] }).itemIds;
}
