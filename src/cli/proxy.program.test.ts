import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ran } from '../testing/programs/run-command.ts';
import { runInline } from '../testing/programs/run-inline.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { environmentText } from '../testing/test-environment.ts';

/** A non-existent proxy, in every variable that can name one. */
const nowhere = 'http://127.0.0.1:1';
const proxies = Object.fromEntries(
  ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [
    [name, nowhere],
    [name.toLowerCase(), nowhere],
  ]),
);

const spec = `import { scenario } from './sextant.ts';
scenario('evaluate a flag', { tag: ['@features', '@read'] }, async ({ features, data }) => {
  await features.evaluate({ key: data.id(), default: data.id(), contextData: data.context() }).succeeds();
});
`;

test('neither runner goes through a proxy that the machine names', async () => {
  const service = await ownService();
  const environments = { here: environmentText(service.addresses) };
  const env = { ...proxies, NODE_USE_ENV_PROXY: '1' };
  const run = await runInline({ specs: { 'one.spec.ts': spec }, environments, env });
  assert.deepEqual(
    run.tests.map(({ status }) => status),
    ['passed'],
    run.console,
  );
  const { SEXTANT_ENVIRONMENTS = '', SEXTANT_OUTPUT = '' } = run.env;
  const args = ['check', '--env', 'here', '--scenario', 'evaluate a flag with default', '--yes'];
  assert.match(await ran(args, { ...env, SEXTANT_ENVIRONMENTS, SEXTANT_OUTPUT }), /1 passed/);
});
