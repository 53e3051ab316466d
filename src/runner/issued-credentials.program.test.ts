import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silent } from '../client/index.ts';
import { loadEnvironment } from '../config/index.ts';
import { readJournals, undoLeftovers } from '../scenario/index.ts';
import { findSecretsInFolder } from '../testing/find-leaks.ts';
import { plainEnvironment, startChild } from '../testing/programs/child.ts';
import { CLIENT_SECRET, issuedText, startIssuer } from '../testing/servers/issuer.ts';
import { ownFolder, ownService } from '../testing/servers/own-service.ts';

const NAME = 'issued';
const folder = ownFolder();
const issuer = await startIssuer(await ownService());
after(() => issuer.stop());
const own = { SEXTANT_STATE: join(folder, 'state'), SEXTANT_OUTPUT: join(folder, 'output') };
Object.assign(process.env, own);
const environments = join(folder, 'environments');
const paths = { ...own, SEXTANT_ENVIRONMENTS: environments };
const secrets = () => ({
  secret: CLIENT_SECRET,
  ...Object.fromEntries(issuer.issued.map((token, at) => [`${at}`, token])),
});

for (const each of [environments, ...Object.values(own)]) mkdirSync(each);
writeFileSync(join(environments, `${NAME}.env`), issuedText(issuer, { ALLOWED_EFFECTS: 'read,reversible' }));

/** What is left on the disk, the environment's own file aside, which is allowed to hold the client's secret. */
const left = () => Object.values(own).flatMap((each) => findSecretsInFolder(each, secrets()));

test('a run that is killed in the middle of its token’s life leaves no token, and its changes are undone with another', async () => {
  const child = startChild(
    process.execPath,
    [join(import.meta.dirname, '..', 'testing', 'programs', 'looping-run.ts'), 'seed', NAME],
    { env: { ...plainEnvironment(), ...paths }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  await once(child, 'message');
  child.send('go');
  const isPending = () => readJournals(NAME).some(({ pending }) => pending.length > 0);
  while (!isPending()) await new Promise((resolve) => setTimeout(resolve, 1));
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.ok(issuer.issued.length > 0 && isPending());
  assert.deepEqual(left(), []);
  const before = issuer.issued.length;
  issuer.expire();
  const environment = loadEnvironment(NAME, { folder: environments });
  const undone = await undoLeftovers(environment, { observer: silent, runId: 'undo' });
  assert.ok(undone.length > 0 && undone.every(({ done }) => done), JSON.stringify(undone));
  assert.ok(issuer.issued.length > before, 'the killed run’s token is nobody’s');
  assert.deepEqual(left(), []);
});
