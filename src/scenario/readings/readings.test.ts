import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { runScenario, type Scenario, scenarios } from '../../runner/index.ts';
import { http, listening } from '../../testing/servers/listening.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { testEnvironment } from '../../testing/test-environment.ts';
import { findingLines, findingsOf } from './readings.ts';

test('what a run found out is for the file that it read, wherever that is', () => {
  const folder = ownFolder();
  process.env.SEXTANT_ENVIRONMENTS = folder;
  const lines = findingLines('qa', [{ question: 'typeVersion', reading: 'copy' }]);
  assert.deepEqual(lines.slice(2), [
    `To skip finding it out, add to ${join(folder, 'qa.env')}:`,
    '  TYPE_VERSION_MEANS=copy',
  ]);
  // The file of the embedded service is the program's own.
  assert.equal(findingLines('local', [{ question: 'typeVersion', reading: 'copy' }]).length, 2);
});

test('a rate is that of the whole window, not of what was left of the one in which the run began', async () => {
  let seconds = 1;
  const answer = (_: unknown, response: ServerResponse) => {
    const rate = { 'x-ratelimit-limit': 20, 'x-ratelimit-remaining': 9, 'x-ratelimit-reset': seconds };
    seconds = 4;
    response.writeHead(200, { 'content-type': 'application/json', ...rate }).end('{}');
  };
  const { url, stop } = await listening(http.createServer(answer));
  const [scenario] = (await scenarios()).filter(({ title }) => title === 'love, then unlove');
  const runId = randomUUID();
  try {
    await runScenario(scenario as Scenario, { environment: testEnvironment(url), seed: '1', runId });
  } finally {
    await stop();
  }
  assert.deepEqual(findingsOf(runId, 'test'), [{ question: 'requestRate', reading: '5' }]);
});
