import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { DriftLog } from '../../call/index.ts';
import type { Environment } from '../../environment/index.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import { testEnvironment } from '../../testing/test-environment.ts';
import { silent } from '../../verdict/index.ts';
import { askedFacts, type Tried } from './asked-facts.ts';
import { RunFacts } from './run-facts.ts';

process.env.SEXTANT_OUTPUT = ownFolder();

type Ask = (maxRequests: number) => Tried | Promise<Tried>;

/** A newly loaded environment, without facts. */
function loaded(): Environment {
  const { facts: _, ...environment } = testEnvironment('http://127.0.0.1:9');
  return environment;
}

/** The facts of one process of a run, and the request limits with which it asked its questions. */
function processOf(runId: string, ask: Ask, environment = loaded()) {
  const allowed: number[] = [];
  const facts = new RunFacts({
    environment,
    runId,
    observer: silent,
    drift: {} as DriftLog,
    ask: async (_question, _operation, maxRequests) => {
      allowed.push(maxRequests);
      return ask(maxRequests);
    },
  });
  return { facts, allowed };
}

const NAMES = ['a', 'b', 'c', 'd', 'e'].map((name) => `missing-header:${name}`);
const prevented: Tried = { why: 'block returns 429', isPrevented: true, requests: 1 };

test('a question takes ten requests at most, and all of a run forty', async () => {
  const greedy = processOf('greedy', (requests) => ({ answer: 'refused', requests }));
  for (const name of NAMES) await greedy.facts.asked(name, 'block');
  assert.deepEqual(greedy.allowed, [10, 10, 10, 10]);
  assert.deepEqual(
    NAMES.map((name) => greedy.facts.answer(name, 'block')),
    ['refused', 'refused', 'refused', 'refused', undefined],
  );
  const modest = processOf('modest', () => ({ answer: 'refused', requests: 9 }));
  for (const name of NAMES) await modest.facts.asked(name, 'block');
  assert.deepEqual(modest.allowed, [10, 10, 10, 10, 4]);
});

test('two processes that need the same answer ask once', async () => {
  const slowly: Ask = async () => {
    await wait(50);
    return { answer: 'refused', requests: 3 };
  };
  const workers = [processOf('together', slowly), processOf('together', slowly)];
  const answers = await Promise.all(workers.map(({ facts }) => facts.asked('repeat', 'love')));
  assert.deepEqual(answers, ['refused', 'refused']);
  assert.deepEqual(
    workers.flatMap(({ allowed }) => allowed),
    [10],
  );
});

test('what no process could ask is not asked again by the next one of the run', async () => {
  const [first, next] = [processOf('in vain', () => prevented), processOf('in vain', () => prevented)];
  assert.equal(await first.facts.asked('repeat', 'love'), undefined);
  assert.equal(await next.facts.asked('repeat', 'love'), undefined);
  assert.deepEqual(next.allowed, []);
  assert.equal(next.facts.whyOpen('repeat', 'love'), 'block returns 429');
  assert.equal(next.facts.isUnknown('repeat', 'love'), true);
});

test('a process that stays asks again an hour after an attempt without an answer, and once files have changed', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-27T08:00:00Z') });
  const environment = loaded();
  const tries: Tried[] = [prevented, { answer: 'refused', requests: 2 }];
  const asks: Ask = () => tries.shift() ?? assert.fail('asked once more');
  /** The facts of the run that begins in a given minute. */
  const runOf = (minute: number, ask = asks, of = environment) => processOf(`run ${minute}`, ask, of).facts;

  assert.equal(await runOf(0).asked('repeat', 'love'), undefined);
  t.mock.timers.tick(59 * 60_000);
  assert.equal(await runOf(59).asked('repeat', 'love'), undefined);
  assert.equal(tries.length, 1, 'not within the hour');
  // After a change of its file, the environment is loaded as another object.
  assert.equal(
    await runOf(59.5, () => ({ answer: 'accepted', requests: 2 }), loaded()).asked('repeat', 'love'),
    'accepted',
  );
  t.mock.timers.tick(60_000);
  assert.equal(await runOf(60).asked('repeat', 'love'), 'refused');
  assert.equal(await runOf(61).asked('repeat', 'love'), 'refused', 'an answer is kept');
});

test('an answer about an operation that failed is used no more, in no process of the run, and is not to be kept', async () => {
  const ask: Ask = () => ({ answer: 'accepted', requests: 2 });
  const environment = loaded();
  const [first, next] = [processOf('failing', ask, environment), processOf('failing', ask)];
  await processOf('failing', ask, environment).facts.asked('repeat', 'love');
  await first.facts.asked('repeat', 'listBlocked');
  first.facts.saw({ question: 'empty-list', operation: 'listBlocked', answer: 'a success' });
  first.facts.drop([{ operation: 'listBlocked' }]);
  const answersOf = ({ facts }: typeof first) => [
    ...(['listBlocked', 'love'] as const).map((operation) => facts.answer('repeat', operation)),
    facts.answer('empty-list', 'listBlocked'),
  ];
  assert.deepEqual(answersOf(first), [undefined, 'accepted', undefined]);
  assert.equal(first.facts.isUnknown('repeat', 'listBlocked'), true);
  assert.equal(await next.facts.asked('repeat', 'listBlocked'), undefined);
  assert.deepEqual(
    askedFacts('failing', environment.name).map(({ operation }) => operation),
    ['love'],
  );
  assert.deepEqual(answersOf(processOf('later', ask, environment)), [undefined, 'accepted', undefined]);
});

test('an answer about an operation that broke an expectation counts in the run, and is not to be kept, nor is what was asked for that', async () => {
  const environment = loaded();
  const ask: Ask = () => ({ answer: 'accepted', requests: 2 });
  const { facts } = processOf('judged', ask, environment);
  await processOf('judged', ask, environment).facts.asked('unknown-user', 'block');
  for (const operation of ['love', 'block'] as const) await facts.asked('repeat', operation);
  const kept = () =>
    askedFacts('judged', environment.name).map(({ operation, question }) => `${operation} ${question}`);
  facts.drop([]);
  assert.deepEqual(kept(), ['block unknown-user', 'love repeat', 'block repeat']);
  facts.drop([{ operation: 'love', isJudged: true }]);
  for (const operation of ['love', 'block'] as const) assert.equal(facts.answer('repeat', operation), 'accepted');
  assert.deepEqual(kept(), ['block unknown-user']);
});

test('nothing is known of a question until an experiment has come to its end', async () => {
  const { facts } = processOf('ends', () => ({ why: '1 of 2 responses contained the default', requests: 2 }));
  assert.equal(facts.isUnknown('default-fallback', 'evaluate'), true);
  await facts.asked('default-fallback', 'evaluate');
  assert.equal(facts.isUnknown('default-fallback', 'evaluate'), false);
});
