import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
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
    "To skip finding it out, keep it: npx sextant survey --env qa --only 'cloneType type-version'",
  ]);
  // The file of the embedded service is the program's own.
  assert.equal(findingLines('local', [{ question: 'typeVersion', reading: 'copy' }]).length, 2);
});

test('a run that an exhausted limit slowed down says how many requests a second were taken', async () => {
  let left = 2;
  const answer = (_: unknown, response: ServerResponse) => {
    const rate = { 'x-ratelimit-limit': 3, 'x-ratelimit-remaining': Math.max(0, left--), 'x-ratelimit-reset': 1 };
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
  const [found, ...others] = findingsOf(runId, 'test').filter(({ question }) => question === 'requestRate');
  assert.deepEqual(others, []);
  const [line] = findingLines('test', [{ question: 'requestRate', reading: found?.reading ?? '' }]).slice(-1);
  const [, rate] = /^ {2}MAX_REQUESTS_PER_SECOND=([\d.]+)$/.exec(`${line}`) ?? [];
  assert.ok(Number(rate) > 0 && Number(rate) <= 3, `${line}`);
});
