import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsToReproduce, isReproduced, Machines } from '../../testing/reproducibility.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../../testing/test-environment.ts';

const service = await ownService();
const { facts, provisionUrl: _, ...embedded } = embeddedEnvironment(service);
const quick = { ...embedded, requestBudget: 4, consistencyTimeoutMs: 300 };

/** Faults whose verdict once depended on earlier runs. `npm run reproducibility` prints the table of all faults. */
const chosen = [
  'deleteItem answers 404',
  'report answers 409',
  'cloneType answers 422',
  'updateProfile answers 400',
  'unlove-finds-no-love',
];

for (const [what, environment] of [
  ['with facts', { ...quick, ...(facts ? { facts } : {}) }],
  ['without', quick],
] as const)
  test(`a fresh clone, a machine with green runs and one that met the fault give the same verdict ${what}`, async () => {
    using machines = new Machines(service, environment);
    const found = faultsToReproduce().filter(({ name }) => chosen.includes(name));
    assert.equal(found.length, chosen.length);
    await machines.prepare(1, found);
    for (const fault of found) {
      const row = await machines.reproduce(fault);
      assert.ok(isReproduced(row), JSON.stringify(row, null, 2));
    }
  });
