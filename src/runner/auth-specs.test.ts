import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { type Fault, startService } from '../../reference-service/index.ts';
import { type HeaderName, headerSets, operation, operationIds } from '../spec/index.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { runScenario, scenarios } from './index.ts';

const service = await startService({ port: 0 });
after(() => service.stop());
const environment = embeddedEnvironment(service);
const runId = randomUUID();
const specs = await scenarios('auth');

async function verdicts(titlePart: string): Promise<Record<string, string>> {
  const found = specs.filter(({ title }) => title.startsWith(titlePart));
  const entries = found.map(
    async (spec) => [spec.title, (await runScenario(spec, { environment, seed: titlePart, runId })).verdict] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** The title that the specs of one operation and header begin with: `block with mm-user-id `. */
function titlePart(id: string, name: HeaderName): string {
  return `${id} with ${name === 'authorization' ? 'Authorization' : name} `;
}

test('the auth specs pass while every header is checked', async () => {
  for (const id of operationIds) {
    for (const [title, verdict] of Object.entries(await verdicts(`${id} with `)))
      assert.equal(verdict, 'passed', title);
  }
});

for (const id of operationIds) {
  for (const name of headerSets[operation(id).headerSet]) {
    test(`${id}: no spec for ${name} stays green when its check is taken out of the service`, async () => {
      // Rows 11 and 12 share one request, which the service serves as row 11's.
      const served = id === 'getFriendProfile' ? 'updateProfile' : id;
      const fault: Fault = { name: `${id} ignores ${name}`, operation: served, unchecked: [name] };
      service.faults.set(fault);
      const found = await verdicts(titlePart(id, name));
      service.faults.set();
      assert.ok(Object.keys(found).length >= 2, 'there are specs for it');
      for (const [title, verdict] of Object.entries(found)) {
        // Nothing else of the service shows whether a feature's user is checked, so only that it must be there is certain.
        const isOpen = id === 'evaluate' && name === 'mm-user-id' && !title.includes('missing');
        assert.equal(verdict, isOpen ? 'skipped' : 'failed', title);
      }
    });
  }
}
