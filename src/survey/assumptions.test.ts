import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumptions } from '../../reference-service/assumptions/table.ts';
import { operationIds } from '../spec/index.ts';
import { ownFolder, ownService } from '../testing/servers/own-service.ts';
import { surveyOf } from '../testing/survey/surveyed.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';

const decided = assumptions
  .flatMap(({ operations, question, answer }) => operations.map((id) => `${id} ${question} = ${answer}`))
  .sort();

test('the survey of local reproduces the decision table, question by question', async () => {
  const run = await surveyOf(embeddedEnvironment(await ownService()), ownFolder());
  assert.equal(run.ended, undefined);
  assert.deepEqual(run.left, []);
  const rows = run.survey.facts
    .filter(({ operation }) => operationIds.some((id) => id === operation))
    .map(({ operation, question, answer }) => `${operation} ${question} = ${answer}`);
  const unstated = rows.filter((row) => !decided.includes(row));
  const contradicted = decided.filter((row) => !rows.includes(row));
  assert.deepEqual(
    { unstated, contradicted },
    { unstated: [], contradicted: [] },
    'what a survey finds must be what reference-service/handlers/index.ts and reference-service/assumptions/ state: change them, then `npm run pages`',
  );
});
