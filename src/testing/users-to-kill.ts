import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { startService } from '../../reference-service/index.ts';
import { type Environment, loadEnvironment } from '../environment/index.ts';
import { projectRoot } from '../environment/project-root.ts';
import type { ProvisionedUser } from '../scenario/data/users.ts';
import { fastFolder, temporaryFolder } from './own-folder.ts';
import { startProxy, type WireVariant } from './servers/wire-proxy.ts';
import { environmentText, seededData } from './test-environment.ts';

interface Options {
  readonly requestTimeoutMs?: number;
  /** The behaviour of a proxy before the service; without it there is no proxy. */
  readonly variant?: WireVariant;
}

/**
 * Prepares runs that a test kills. Starts a service, whose state the test can compare before and after the runs, and makes environments
 * with two users each.
 */
export async function usersToKill(names: readonly string[], { requestTimeoutMs = 60_000, variant }: Options = {}) {
  const { path: folder, end } = temporaryFolder(fastFolder());
  after(end);
  const data = join(folder, 'state.db');
  const service = await startService({ port: 0, data });
  const proxy = variant && (await startProxy(service, variant));
  const database = new DatabaseSync(data);
  after(async () => {
    database.close();
    await proxy?.stop();
    await service.stop();
  });
  process.env.SEXTANT_STATE = join(folder, 'state');
  process.env.SEXTANT_OUTPUT = join(folder, 'output');
  const insert = (table: string, ...values: readonly string[]) =>
    database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`).run(...values);
  const environments: Environment[] = [];
  for (const name of names) {
    const [caller, friend] = await twoUsers(service.provisionUrl);
    // There is no provisioner, so every scenario of a run acts as the same two users.
    const text = environmentText((proxy ?? service).addresses, {
      ...seededData,
      USER_ID: caller.userId,
      ACCESS_TOKEN: caller.accessToken,
      FRIEND_USER_ID: friend.userId,
      FRIEND_ACCESS_TOKEN: friend.accessToken,
      ALLOWED_EFFECTS: 'read,reversible',
      // Before a run undoes a change of a killed run, it waits this long, because the change may still be on its way to the service.
      REQUEST_TIMEOUT_MS: requestTimeoutMs,
    });
    writeFileSync(join(folder, `${name}.env`), text);
    // These facts answer all open questions. Otherwise a run would send requests to answer them, and the test would kill it at another
    // step.
    copyFileSync(join(projectRoot, 'environments', 'local.facts.json'), join(folder, `${name}.facts.json`));
    environments.push(loadEnvironment(name, { folder }));
    // State from before the runs. It must still exist after the changes of the killed runs have been undone. The love is that of a third
    // user, because a run can't distinguish an earlier love of the caller from its own.
    insert('blocks', caller.userId, 'user-old-foe', '2026-01-01T00:00:00.000Z');
    insert('loves', `fan-of-${friend.userId}`, 'story-lighthouse');
    insert('profiles', caller.userId, '{"name":"Ada","status":"sailing","url":"https://a.test/1.png","gender":2}');
  }
  return {
    folder,
    service,
    database,
    environments,
    insert,
    /** Does `work` as if an hour had passed. By then, every request of a killed run would have arrived. */
    muchLater: async <T>(work: () => Promise<T>): Promise<T> => {
      const { now } = Date;
      Date.now = () => now() + 3_600_000;
      return work().finally(() => (Date.now = now));
    },
    snapshot: () =>
      // Leaves out the time of a block, because a block that was undone and re-created has a new time.
      ['blocker, blocked FROM blocks', '* FROM loves', '* FROM profiles'].map((from) =>
        database.prepare(`SELECT ${from} ORDER BY 1, 2`).all(),
      ),
  };
}

async function twoUsers(provisionUrl: string): Promise<[ProvisionedUser, ProvisionedUser]> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${provisionUrl}/users`, { method: 'POST', headers, body: '{"count":2}' });
  return ((await response.json()) as { users: [ProvisionedUser, ProvisionedUser] }).users;
}
