import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadEnvironment } from '../../environment/index.ts';
import { projectRoot } from '../../environment/project-root.ts';
import { takeUsers } from '../../safety/index.ts';
import { ownEnvironments } from '../../testing/own-folder.ts';
import { plainEnvironment } from '../../testing/programs/child.ts';
import { startProgram, until } from '../../testing/programs/run-command.ts';
import { Arrivals } from '../../testing/servers/arrivals.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { environmentText } from '../../testing/test-environment.ts';

/** Starts Playwright's server behind UI mode and editors. `ask` sends it a request; `said` returns its output and messages so far. */
async function testServer(t: TestContext, env: Readonly<Record<string, string>>) {
  const cli = join(projectRoot, 'node_modules', '@playwright', 'test', 'cli.js');
  const server = startProgram(process.execPath, [cli, 'test-server', '-c', projectRoot], {
    env: { ...plainEnvironment(), ...env, CI: '' },
    cwd: projectRoot,
  });
  t.after(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
  });
  await until(() => /Listening on ws:/.test(server.said()), server);
  const socket = new WebSocket(/Listening on (ws:\S+)/.exec(server.said())?.[1] ?? '');
  t.after(() => socket.close());
  const answers = new Map<number, (answer: { readonly result?: unknown; readonly error?: unknown }) => void>();
  let heard = '';
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(`${data}`);
    const { id, method, params } = message as {
      id?: number;
      method?: string;
      params?: { text?: string; buffer?: string };
    };
    if (id !== undefined) return answers.get(id)?.(message);
    heard += method === 'stdio' ? (params?.text ?? Buffer.from(params?.buffer ?? '', 'base64')) : `${data}\n`;
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  let requests = 0;
  return {
    said: () => heard + server.said(),
    until: (condition: () => boolean) => until(condition, { ended: server.ended, said: () => heard + server.said() }),
    async ask(method: string, params: object = {}): Promise<{ readonly status?: string }> {
      const id = ++requests;
      const answer = new Promise<{ result?: unknown; error?: unknown }>((resolve) => answers.set(id, resolve));
      socket.send(JSON.stringify({ id, method, params }));
      const { result, error } = await answer;
      assert.equal(error, undefined, method);
      return result as { status?: string };
    },
  };
}

test('UI mode has the users for each test alone: a test waits for another run, and says for whom; between two the users are free', async (t) => {
  const service = await ownService();
  const arrivals = new Arrivals();
  const text = environmentText(service.addresses, { FRIEND_USER_ID: 'user-ben', ALLOWED_EFFECTS: 'read,reversible' });
  const own = ownEnvironments({ own: text });
  Object.assign(process.env, { ...own.env, SEXTANT_STATE: join(own.folder, 'state') });
  const environment = loadEnvironment('own');
  const server = await testServer(t, { ...own.env, SEXTANT_STATE: join(own.folder, 'state') });
  await server.ask('initialize', { interceptStdio: true, closeOnDisconnect: true });
  assert.equal((await server.ask('runGlobalSetup')).status, 'passed', server.said());
  const run = () => server.ask('runTests', { projects: ['own'], grep: 'love, then unlove', trace: 'off' });

  const release = await takeUsers(environment, { say: assert.fail });
  const first = run();
  await server.until(() =>
    /own: waiting for another run \(.*process \d+\), which acts as the same users/.test(server.said()),
  );
  assert.deepEqual(
    arrivals.all.filter(({ method }) => method !== 'GET'),
    [],
  );
  release();
  assert.equal((await first).status, 'passed', server.said());
  assert.ok(arrivals.all.some(({ path }) => path.endsWith('/unlove')));

  // The server is still running, but no test is, so another run can lock the users at once.
  (await takeUsers(environment, { say: assert.fail }))();
  assert.equal((await run()).status, 'passed', server.said());
  assert.equal((await server.ask('runGlobalTeardown')).status, 'passed');
});
