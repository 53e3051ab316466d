import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Fault, type Service, startService } from '../../reference-service/index.ts';
import { loadEnvironment } from '../config/index.ts';
import { projectRoot } from '../config/project-root.ts';
import { startCommand } from '../testing/run-command.ts';
import { type InlineRun, type InlineTest, runInline } from '../testing/run-inline.ts';
import { environmentText } from '../testing/test-environment.ts';
import { runScenario, type ScenarioResult, scenarios } from './index.ts';

const files = ['block-list-unblock.spec.ts', 'love-unlove.spec.ts'];

/** `blocked` becomes a text: nothing that the specification shows breaks. */
const otherType: Fault = {
  name: 'block answers with a text in place of a boolean',
  operation: 'block',
  respond: () => (response) => ({
    ...response,
    body: String(response.body).replace('"blocked":true', '"blocked":"yes"'),
  }),
};

const services: Service[] = [];
let run: InlineRun;
const inProcess = new Map<string, ScenarioResult[]>();

before(async () => {
  // As a team would make it: printed by the program, kept as a file.
  const printing = startCommand(['openapi', '--env', 'local']);
  assert.equal(await printing.ended, 0, printing.said());
  const environments = { whole: await environment(), broken: await environment(otherType) };
  run = await runInline({ specs: specs(), environments, files: { 'environments/own.json': printing.said() } });
  process.env.SEXTANT_OUTPUT = run.output;
  const wanted = files.map((file) => join(projectRoot, 'tests', 'scenarios', file));
  const chosen = (await scenarios()).filter(({ file }) => wanted.includes(file));
  for (const name of Object.keys(environments)) {
    const loaded = loadEnvironment(name, { folder: join(run.folder, 'environments'), processEnvironment: {} });
    const results = chosen.map((each) =>
      runScenario(each, { environment: loaded, seed: 'seed', runId: `run-${name}` }),
    );
    inProcess.set(name, await Promise.all(results));
  }
});
after(async () => {
  run.remove();
  delete process.env.SEXTANT_OUTPUT;
  await Promise.all(services.map((service) => service.stop()));
});

test('the document that the program prints is accepted, and everything is green in both runners', () => {
  assert.equal(run.tests.length, 4);
  assert.deepEqual(ended('whole'), ['passed', 'passed']);
  assert.deepEqual(
    inProcess.get('whole')?.map(({ verdict, warnings }) => [verdict, warnings]),
    [
      ['passed', undefined],
      ['passed', undefined],
    ],
  );
});

test('one field of another type is red in both, by the grade specified, in its own category and at the line of the spec', () => {
  assert.deepEqual(ended('broken').sort(), ['failed', 'passed']);
  const theirs = run.tests.find(({ project, status }) => project === 'broken' && status === 'failed') as InlineTest;
  const ours = inProcess.get('broken')?.find(({ verdict }) => verdict === 'failed');
  assert.equal(theirs.title, ours?.title);
  assert.equal(theirs.category, 'off-contract');
  assert.equal(ours?.grade, 'specified');
  const reason =
    /specified: \S*own\.json describes this response of POST \/v1\/friends\/block — \/blocked is string, but boolean is specified/;
  assert.match(theirs.errors[0] ?? '', reason);
  assert.match(ours?.reason ?? '', reason);
  const source = readFileSync(join(run.folder, files[0] as string), 'utf8').split('\n');
  assert.match(source[(theirs.line ?? 0) - 1] ?? '', /block\(/);
});

function ended(name: string): string[] {
  return run.tests.filter(({ project }) => project === name).map(({ status }) => String(status));
}

async function environment(...faults: Fault[]): Promise<string> {
  const service = await startService({ port: 0, quiet: true });
  service.faults.set(...faults);
  services.push(service);
  const { addresses, provisionUrl } = service;
  return environmentText(addresses, { PROVISION_URL: provisionUrl, OPENAPI: 'own.json' });
}

/** The very same sources, with the folder's own way to the fixtures. */
function specs(): Record<string, string> {
  const source = (file: string) => readFileSync(join(projectRoot, 'tests', 'scenarios', file), 'utf8');
  return Object.fromEntries(
    files.map((file) => [file, source(file).replaceAll('../../fixtures/index.ts', './sextant.ts')]),
  );
}
