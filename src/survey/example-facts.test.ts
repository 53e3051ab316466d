import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { factsIn } from '../environment/index.ts';
import { projectRoot } from '../environment/project-root.ts';
import { strangers } from '../testing/survey/strangers/index.ts';
import { type Stranger, withStranger } from '../testing/survey/strangers/stranger.ts';
import { answerTo, surveyOf } from '../testing/survey/surveyed.ts';
import { preflight } from './preflight.ts';

// The documentation explains facts with these files. Each contains facts about one of the tests' services.
const examples: [file: string, service: string][] = [
  ['rest', 'linked'],
  ['always-200', 'envelope'],
];
for (const [file, service] of examples)
  test(`docs/facts/${file}.facts.json is what a survey finds of ${service}`, async () => {
    const facts = [...factsIn(join(projectRoot, 'docs', 'facts', `${file}.facts.json`))];
    const isIn = (question: string, id: string) =>
      facts.some((fact) => fact.question === question && fact.operation === id);
    await withStranger(strangers[service] as Stranger, async (environment) => {
      const options = { environment, seed: '1', runId: randomUUID() };
      const run = await surveyOf(environment, { ...options, preflight: await preflight(options), only: isIn });
      for (const { operation, question, answer } of facts)
        assert.equal(answerTo(run, operation, question), answer, `${operation} ${question}`);
    });
  });
