import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allScenarios } from '../run/index.ts';
import { ownFolder } from '../testing/servers/own-service.ts';
import { onReadings, work } from './drill.ts';

const folder = ownFolder();
process.env.SEXTANT_STATE = folder;
process.env.SEXTANT_OUTPUT = folder;

test('with the names of scenarios, these alone are played', async () => {
  const title = 'block, then list, then unblock';
  const tasks = [{ change: 'unblock-does-nothing', only: [title] }];
  await work(tasks, ({ ran, red }) => assert.deepEqual([ran, red.map((each) => each.title)], [[title], [title]]));
});

test('a report that was accepted with a header missing counts as made, for the service takes only one', async () => {
  const titles = /^(report with mm-client-id missing is refused|fetch options, then report)$/;
  const about = (await allScenarios()).filter(({ title }) => titles.test(title));
  assert.equal(about.length, 2);
  const row = { headerMissing: 'accepted', reportAgain: 'refused', reportCodes: 'some', provisioner: 'none' };
  // With `successRule: 'body'`, even a refusal has status 200, so no 409 says that the service already has the report.
  const { red, unproven } = await onReadings({ ...row, successRule: 'body' }, undefined, about);
  assert.deepEqual(red, []);
  assert.deepEqual(unproven, ['fetch options, then report']);
});
