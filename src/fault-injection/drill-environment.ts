import { join } from 'node:path';
import type { Deadlines, Service } from '../../reference-service/index.ts';
import { atService, EMBEDDED, type Environment, loadEnvironment } from '../config/index.ts';
import { projectRoot } from '../config/project-root.ts';

/** Short waits for lists that never change; a high limit for slow responses, except in faults about slowness. */
const patience = { requestTimeoutMs: 10_000, consistencyTimeoutMs: 200, slowAfterMs: 60_000 };

/** Request budget per generated spec: enough for every case and a couple of random plans. */
const REQUEST_BUDGET = 48;

/** The environment of a reference service on any ports. */
export function drillEnvironment(
  service: Service,
  deadlines: Deadlines & { consistencyTimeoutMs?: number } = {},
): Environment {
  // Always the shipped environment, so that a drill is the same everywhere. What was learned and a team's own document are
  // left out: they describe a service, not the specification.
  const {
    observed: _observed,
    facts: _facts,
    contract: _contract,
    ...shipped
  } = loadEnvironment(EMBEDDED, {
    folder: join(projectRoot, 'environments'),
    processEnvironment: {},
  });
  return { ...atService(shipped, service), ...patience, ...deadlines, requestBudget: REQUEST_BUDGET };
}
