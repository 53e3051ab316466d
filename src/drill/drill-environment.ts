import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type CataloguedFault, type Deadlines, type Service, seeded } from '../../reference-service/index.ts';
import { atService, EMBEDDED, type Environment, loadEnvironment } from '../environment/index.ts';
import { projectRoot } from '../environment/project-root.ts';
import { type Fact, Facts } from '../facts/index.ts';
import { argumentForms } from '../questions/index.ts';
import { dimensions, type Row, readingsOf } from './readings.ts';

/**
 * Short waits, because many of the awaited lists never change. A high limit for slow responses, because faults about slowness set a lower
 * limit themselves.
 */
const patience = { requestTimeoutMs: 10_000, consistencyTimeoutMs: 200, slowAfterMs: 60_000 };

/**
 * Request budget of each spec that generates requests: enough for all cases of an operation, and for a few random plans of a model test.
 */
const REQUEST_BUDGET = 48;

/** How long to wait for lists that lag, in ms: long enough for two reads, even on a busy machine. */
export const LAGGING_MS = 2_000;

/** How long to wait for lists that do not lag, in ms. Only a change that never shows takes this long. */
const READINGS_MS = 400;

/** Number of stored items for a drill without a provisioner: more than all scenarios together delete. */
const STORED_ITEMS = 60;

// Cache of the embedded environment as shipped. Variables of this process don't change it, so a drill is the same everywhere.
let shipped: Environment | undefined;

export function drillEnvironment(
  service: Service,
  deadlines: Deadlines & { consistencyTimeoutMs?: number } = {},
): Environment {
  shipped ??= loadEnvironment(EMBEDDED, { folder: join(projectRoot, 'environments'), processEnvironment: {} });
  // Facts and a team's document describe one particular service, so a drill of the specification uses neither.
  const { observed: _observed, facts: _facts, contract: _contract, ...environment } = shipped;
  return { ...atService(environment, service), ...patience, ...deadlines, requestBudget: REQUEST_BUDGET };
}

/**
 * A fact about `love`. Drills use it only if the reference service sends its usual status and body in response to `love`. Otherwise
 * `/loves` may be missing from the body, or be in another place.
 */
const LOVE_SHOWN = "love love-shown: the friend's next response to love shows it at /loves";

/**
 * Sets the facts that a run can't find out, as a survey of the service would record them: the forms of arguments, which response shows a
 * love, and the fact that the fault breaks, if there is one.
 */
export function withFacts(environment: Environment, fault?: CataloguedFault, row: Row = {}): Environment {
  const isPlain = (question: string) => [undefined, dimensions[question]?.[0]].includes(row[question]);
  const forms = argumentForms.flatMap(({ question, of }) => {
    const answer = row[question] ?? dimensions[question]?.[0];
    return of.map((operation) => `${operation} ${question}: ${answer}`);
  });
  const lines = [
    ...forms,
    ...(isPlain('bodyForm') && isPlain('successStatus') ? [LOVE_SHOWN] : []),
    ...(fault?.breaksFact ? [fault.breaksFact] : []),
  ];
  return { ...environment, facts: new Facts(lines.map(factIn)) };
}

function factIn(line: string): Fact {
  const [, operation = '', question = '', answer = ''] = /^(\w+) (.+?): (.*)$/.exec(line) ?? [];
  return { operation, question, answer, evidence: 'the reference service', askedAt: '2026-11-27' };
}

/**
 * The environment for a service that follows the readings in `row` (its choices where the specification leaves a question open), and may
 * have a fault.
 */
export async function environmentOn(row: Row, service: Service, fault?: CataloguedFault): Promise<Environment> {
  const consistencyTimeoutMs = row['listLag'] === 'some' ? LAGGING_MS : READINGS_MS;
  const { provisionUrl, ...environment } = withFacts(
    drillEnvironment(service, { consistencyTimeoutMs, ...fault?.deadlines }),
    fault,
    row,
  );
  const successWhen = readingsOf(row).find((reading) => reading.successWhen)?.successWhen;
  const common = { ...environment, ...(successWhen ? { successWhen } : {}) };
  if (row['provisioner'] === 'given') return { ...common, ...(provisionUrl ? { provisionUrl } : {}) };
  const storedItemIds = await storedItems(service);
  // Runs store what they learn under the environment's name. A new name each time keeps a drill from using what earlier drills learned.
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
