import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allScenarios } from '../../runner/index.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { play } from './play.ts';

const folder = ownFolder();
process.env.SEXTANT_STATE = folder;
process.env.SEXTANT_OUTPUT = folder;

test('a report that was accepted with a header missing counts as made, for the service takes only one', async () => {
  const titles = /^(report with mm-client-id missing is refused|fetch options, then report)$/;
  const relevant = (await allScenarios()).filter(({ title }) => titles.test(title));
  assert.equal(relevant.length, 2);
  const row = { headerMissing: 'accepted', reportAgain: 'refused', reportCodes: 'some', provisioner: 'none' };
  // The signal of success is in the body, so no 409 says why.
  const { red, unproven } = await play({ ...row, successRule: 'body' }, undefined, relevant, '1');
  assert.deepEqual(red, []);
  assert.deepEqual(unproven, ['fetch options, then report']);
});
