import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach } from 'node:test';
import type { ScenarioBody } from '../../fixtures/index.ts';
import type { Fault } from '../../reference-service/index.ts';
import type { Environment } from '../environment/index.ts';
import { runAll, type Scenario, scenarios } from '../run/index.ts';
import type { Recorded } from '../safety/changes.ts';
import { readJournals, sweep, type UsersRun, usersOf } from '../safety/index.ts';
import { JournalFile, journalFolder } from '../safety/journal-file.ts';
import type { Line } from '../safety/journal-lines.ts';
import type { Effect } from '../service/index.ts';
import { scenarioOf } from './made-scenario.ts';
import { resultText } from './play.ts';
import { Arrivals } from './servers/arrivals.ts';
import { ownService } from './servers/own-service.ts';
import { embeddedEnvironment } from './test-environment.ts';

/** A fault: the operation responds to every request with this status and body. */
export const answers = (operation: Fault['operation'], status: number, body: unknown = {}): Fault => ({
  name: `${operation} answers ${status}`,
  operation,
  handle: () => () => ({ status, body }),
});

export const titled = async (pattern: RegExp): Promise<Scenario[]> =>
  (await scenarios()).filter(({ title }) => pattern.test(title));

/** Common set-up of safety tests: a service, its environments, and scenarios. Each test begins without faults and without stored state. */
export async function safetyBench(options: Parameters<typeof ownService>[0] = {}) {
  const service = await ownService(options);
  const folder = process.env.SEXTANT_OUTPUT as string;
  process.env.SEXTANT_STATE = join(folder, 'state');
  const provisioned = embeddedEnvironment(service);
  const { provisionUrl: _, ...ownEnvironment }: Environment = provisioned;
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const allowing = (...allowed: Effect[]): Environment => ({ ...ownEnvironment, allowedEffects: new Set(allowed) });
  let runs = 0;
  const runAs = (users: UsersRun | undefined, environment: Environment, ...all: Scenario[]) =>
    runAll(all, { environment, users, seed: String(runs), runId: `run-${runs++}` });
  const run = (environment: Environment, ...all: Scenario[]) => runAs(undefined, environment, ...all);
  return {
    service,
    arrivals: new Arrivals(),
    provisioned,
    /** The environment without a provisioner: all scenarios act as the environment's own users. */
    own: ownEnvironment as Environment,
    allowing,
    reversible: () => allowing('read', 'reversible'),
    scenario: (body: ScenarioBody, effect: Effect = 'read', ...tags: string[]): Scenario =>
      scenarioOf(`a scenario of the test (${effect})`, body, '@all', `@${effect}`, ...tags),
    run,
    /** Runs scenarios as part of the run `users`, which holds the lock of the shared users. */
    runAs,
    /** Runs scenarios; returns each result as text. */
    tell: async (environment: Environment, ...all: Scenario[]) => (await run(environment, ...all)).map(resultText),
    undo: (environment: Environment, forget = false) => sweep(environment, { forget }),
    /** The changes in `own` that the next run would undo if this process crashed now. */
    pending: () => readJournals(ownEnvironment).flatMap(({ pending }) => pending),
    /**
     * Writes to the journal that an old run blocked a user. `change` replaces fields of this entry; `noted` are states of the change that
     * the run recorded later.
     */
    leaveBehind: (change: Partial<Recorded> = {}, ...noted: readonly string[]): void => {
      const journal = new JournalFile(journalFolder(ownEnvironment), usersOf(ownEnvironment));
      const id = randomUUID();
      const users = { as: 'caller', userId: ownEnvironment.caller.userId } as const;
      const block = { change: 'block', undo: 'unblock', args: { friendId: ownEnvironment.friend.userId } } as const;
      const [at, base] = ['2026-01-01T00:00:00.000Z', ownEnvironment.addresses.friends.href];
      journal.write({ entry: { id, at, ...block, ...users, base, ...change } });
      for (const state of noted) journal.write({ [state]: id, at: change.at } as Line);
      journal.close(true);
    },
  };
}
