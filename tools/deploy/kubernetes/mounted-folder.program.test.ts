import assert from 'node:assert/strict';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '../../../src/testing/own-folder.ts';
import { startProberCommand, until } from '../../../src/testing/programs/run-command.ts';
import { loadText } from '../../../src/testing/test-environment.ts';
import { kubernetesFolder } from './objects.ts';

const examples = globSync('**/environments/*.env', { cwd: kubernetesFolder }).sort();

/** The text of an example environment, with its placeholders filled in. */
const filledIn = (file: string) =>
  readFileSync(join(kubernetesFolder, file), 'utf8')
    .replaceAll('.example', '.test')
    .replace(/=your-/g, '=our-')
    .replace('=your.', '=our.');

const secrets = {
  ACCESS_TOKEN: 'token-of-this-test',
  API_KEY: 'key-of-this-test',
  FRIEND_ACCESS_TOKEN: 'friend-of-this-test',
};

for (const file of examples)
  test(`${file} is refused as it is, and a whole environment once it is filled in`, () => {
    const name = basename(file, '.env');
    const variables = Object.fromEntries(
      Object.entries(secrets).map(([key, value]) => [`${name.toUpperCase()}_${key}`, value]),
    );
    assert.throws(() => loadText(name, readFileSync(join(kubernetesFolder, file), 'utf8'), variables), /example/);
    assert.equal(loadText(name, filledIn(file), variables).name, name);
  });

/** Writes files as the kubelet does: into a new folder, to which it then switches a link in one step. */
function mount(folder: string, version: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(folder, version));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, version, name), text);
    rmSync(join(folder, name), { force: true });
    symlinkSync(join('..data', name), join(folder, name));
  }
  symlinkSync(version, join(folder, '..data_tmp'));
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
}

test('a prober reads a folder as Kubernetes mounts it, and its change without a restart', async (t) => {
  const path = ownFolder();
  const environments = join(path, 'environments');
  mkdirSync(environments);
  const staging = filledIn('overlays/one-cluster/environments/staging.env');
  const secretFile = Object.entries(secrets)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
  mount(environments, '..2026_1', { 'staging.env': staging, 'staging.secret.env': secretFile });
  const { command: prober, address } = await startProberCommand(t, path, environments);
  const effects = async () => {
    const groups = (await (await fetch(`http://${address}/targets`)).json()) as { labels: Record<string, string> }[];
    return new Set(groups.map(({ labels }) => `${labels.environment} ${labels.effect}`));
  };
  assert.ok((await effects()).has('staging reversible'));
  const changed = staging.replace('ALLOWED_EFFECTS=read,reversible', 'ALLOWED_EFFECTS=read');
  assert.notEqual(changed, staging);
  mount(environments, '..2026_2', { 'staging.env': changed, 'staging.secret.env': secretFile });
  await until(async () => !(await effects()).has('staging reversible'), prober);
  assert.ok((await effects()).has('staging read'));
});
