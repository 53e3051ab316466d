import { join } from 'node:path';
import type { Deadlines, Service } from '../../reference-service/index.ts';
import { atService, EMBEDDED, type Environment, loadEnvironment } from '../config/index.ts';
import { projectRoot } from '../config/project-root.ts';

/** A drill doesn't wait long for a list that never changes, and takes nothing for slow but what is about pace. */
const patience = { requestTimeoutMs: 10_000, consistencyTimeoutMs: 200, slowAfterMs: 60_000 };

/** What generated specs may ask for, each: enough for every case, and for a couple of random walks. */
const REQUEST_BUDGET = 48;

/** The environment of a reference service that listens on whatever ports it was given. */
export function drillEnvironment(
  service: Service,
  deadlines: Deadlines & { consistencyTimeoutMs?: number } = {},
): Environment {
  // Always the environment that is shipped: a drill is the same wherever it runs. What was learned of the embedded
  // service is left out, for it is no reading of the document.
  const {
    observed: _observed,
    facts: _facts,
    ...shipped
  } = loadEnvironment(EMBEDDED, {
    folder: join(projectRoot, 'environments'),
    processEnvironment: {},
  });
  return { ...atService(shipped, service), ...patience, ...deadlines, requestBudget: REQUEST_BUDGET };
}
