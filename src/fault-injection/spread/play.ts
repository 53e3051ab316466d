import { randomUUID } from 'node:crypto';
import { type CataloguedFault, type Service, seeded } from '../../../reference-service/index.ts';
import type { Environment } from '../../config/index.ts';
import type { Scenario } from '../../runner/index.ts';
import { drillEnvironment } from '../drill-environment.ts';
import type { DrillOutcome } from '../drilled.ts';
import { onReference } from '../on-reference.ts';
import { playAll } from '../play.ts';
import type { Row } from './pairwise.ts';
import { readingsOf } from './readings.ts';

/** Only what never comes uses it up. Where lists are a read behind, two reads must be made in time, on a busy machine too. */
const consistencyMs = ({ listLag }: Row) => (listLag === 'some' ? 2_000 : 400);

/** More stored items than all scenarios delete without a provisioner. */
const STORED_ITEMS = 60;

/** Plays scenarios on a service of one row of readings, with a fault in it where there is one. */
export function play(
  row: Row,
  fault: CataloguedFault | undefined,
  scenarios: readonly Scenario[],
  seed: string,
): Promise<DrillOutcome> {
  return onReference(async (service) => {
    const environment = await environmentOf(service, row, fault);
    const changes = readingsOf(row).flatMap((reading) => reading.changes(fault?.operation ?? ''));
    service.faults.set(...(fault ? [fault] : []), ...changes);
    // One run: what it finds out of the readings it remembers, as in any environment.
    return playAll(scenarios, { environment, seed, runId: randomUUID(), kind: fault?.kind });
  });
}

async function environmentOf(service: Service, row: Row, fault: CataloguedFault | undefined): Promise<Environment> {
  const deadlines = { consistencyTimeoutMs: consistencyMs(row), ...fault?.deadlines };
  const { provisionUrl, ...environment } = drillEnvironment(service, deadlines);
  const successWhen = readingsOf(row).find((reading) => reading.successWhen)?.successWhen;
  const common = { ...environment, ...(successWhen ? { successWhen } : {}) };
  if (row['provisioner'] === 'given') return { ...common, ...(provisionUrl ? { provisionUrl } : {}) };
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
