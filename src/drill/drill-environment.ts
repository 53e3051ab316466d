import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type CataloguedFault, type Deadlines, type Service, seeded } from '../../reference-service/index.ts';
import { atService, EMBEDDED, type Environment, loadEnvironment } from '../config/index.ts';
import { projectRoot } from '../config/project-root.ts';
import { type OpenQuestion, openQuestions, questionIds } from '../spec/index.ts';
import { dimensions, type Row, readingsOf } from './readings.ts';

/** Short waits for lists that never change; a high limit for slow responses, except in faults about slowness. */
const patience = { requestTimeoutMs: 10_000, consistencyTimeoutMs: 200, slowAfterMs: 60_000 };

/** Request budget per generated spec: enough for every case and a couple of random plans. */
const REQUEST_BUDGET = 48;

/** Where lists may lag behind, two reads must be made in time, on a busy machine too. */
export const LAGGING_MS = 2_000;

/** Where they may not, only what never comes uses it up. */
const READINGS_MS = 400;

/** More stored items than all scenarios delete without a provisioner. */
const STORED_ITEMS = 60;

// Always the shipped environment, so that a drill is the same everywhere.
let shipped: Environment | undefined;

export function drillEnvironment(
  service: Service,
  deadlines: Deadlines & { consistencyTimeoutMs?: number } = {},
): Environment {
  shipped ??= loadEnvironment(EMBEDDED, { folder: join(projectRoot, 'environments'), processEnvironment: {} });
  // What was learned and a team's own document are left out: they describe a service, not the specification.
  const { observed: _observed, facts: _facts, contract: _contract, ...environment } = shipped;
  return { ...atService(environment, service), ...patience, ...deadlines, requestBudget: REQUEST_BUDGET };
}

/** What no run can find out by itself, because it could not be undone: the form of some arguments, as a survey of the service would keep it. */
export function withKnownForms(environment: Environment, row: Row = {}): Environment {
  const readings = questionIds.flatMap((question) => {
    const { formOf }: OpenQuestion = openQuestions[question];
    const reading = row[question] ?? dimensions[question]?.[0];
    return formOf && reading ? [{ question, reading, source: 'its survey' }] : [];
  });
  return { ...environment, readings };
}

/** The same of a service with other readings, and a fault in it where there is one. */
export async function environmentOn(row: Row, service: Service, fault?: CataloguedFault): Promise<Environment> {
  const consistencyTimeoutMs = row['listLag'] === 'some' ? LAGGING_MS : READINGS_MS;
  const { provisionUrl, ...environment } = withKnownForms(
    drillEnvironment(service, { consistencyTimeoutMs, ...fault?.deadlines }),
    row,
  );
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
