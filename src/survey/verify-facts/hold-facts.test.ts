import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { assumptions } from '../../../reference-service/assumptions/table.ts';
import { type Fault, type Service, startService } from '../../../reference-service/index.ts';
import { Refusal } from '../../../reference-service/refusal.ts';
import { factKey, type LearnedFacts } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { runScenario, type ScenarioResult, scenarios } from '../../runner/index.ts';
import type { AreaId } from '../../spec/index.ts';
import { embeddedEnvironment } from '../../testing/test-environment.ts';

/** The facts about the reference service, which another test verifies. */
const facts: LearnedFacts = new Map(
  [...assumptions, { operations: ['readProfile'], question: 'unknown-user', answer: 'refused with 404' }].flatMap(
    ({ operations, question, answer }) =>
      operations.map((operation) => {
        const evidence = [{ excerpt: '404 application/json  {"error":…' }];
        return [
          factKey(operation, question),
          { operation, question, answer, observedAt: '2026-11-01T10:00:00Z', evidence },
        ];
      }),
  ),
);

let service: Service;
before(async () => {
  service = await startService({ port: 0, quiet: true });
});
after(() => service.stop());

/** Runs the scenarios on facts, those of one area or all, and of the others those with `titles`. */
async function hold(changes: Partial<Environment>, area?: AreaId, titles: readonly string[] = []) {
  const environment: Environment = { ...embeddedEnvironment(service), facts, drift: 'fail', ...changes };
  const chosen = [...(await scenarios('facts')), ...(await scenarios()).filter(({ title }) => titles.includes(title))];
  const results: ScenarioResult[] = [];
  for (const scenario of chosen.filter(({ details }) => !area || details.tag.includes(`@${area}`)))
    results.push(await runScenario(scenario, { environment, seed: '1', runId: randomUUID() }));
  return results;
}

const verdictsOf = (results: readonly ScenarioResult[]) => [
  ...new Set(
    results.map(({ verdict, reason = '', warnings = [] }) => [`${verdict} ${reason}`, ...warnings].join('\n')),
  ),
];

test('facts hold on the service that they were found of', async () => {
  const results = await hold({});
  assert.deepEqual(verdictsOf(results), ['passed ']);
  const requests = results.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  assert.ok(requests < 600, `${requests} requests`);
});

test("facts hold of users that are somebody's, and nothing is used up", async () => {
  const results = await hold({ provisionUrl: undefined } as unknown as Partial<Environment>);
  assert.deepEqual(verdictsOf(results), ['passed ']);
  const kept = results.flatMap(({ exchanges }) => exchanges);
  const lasting = kept.filter(
    ({ operation, response }) =>
      ['deleteItem', 'report', 'cloneType'].includes(operation) && response && response.status < 300,
  );
  assert.deepEqual(
    lasting.map(({ operation }) => operation),
    [],
  );
});

test('without a survey they are skipped, and it is said how to get one', async () => {
  const results = await hold({ facts: undefined } as unknown as Partial<Environment>);
  assert.deepEqual(verdictsOf(results), ['skipped needs a survey: npx sextant survey --env local']);
});

const refused = () => {
  throw new Refusal(422, 'too_long', 'too long');
};

const broken: readonly (readonly [
  what: string,
  fault: Fault,
  area: AreaId,
  reported: RegExp,
  titles?: readonly string[],
])[] = [
  [
    'a deletion that deletes nothing, by its second response',
    { name: 'x', operation: 'deleteItem', handle: () => () => ({ status: 204 }) },
    'storage',
    /learned: repeat of deleteItem is as the survey found: refused with 404 — accepted; on 2026-11-01 it was refused with 404, as in 404/,
    ['delete by id'],
  ],
  [
    'an unknown story that is taken',
    { name: 'x', operation: 'report', handle: () => () => ({ status: 201, body: {} }) },
    'stories',
    /unknown-code of report .*refused with 400 — accepted[\s\S]*report: unknown-story is accepted, but a survey found refused with 404/,
  ],
  [
    'a header that is no longer checked',
    { name: 'x', operation: 'listBlocked', unchecked: ['mm-client-id'] },
    'friends',
    /missing-header:mm-client-id of listBlocked .*refused with 400 — accepted/,
  ],
  [
    'a new limit',
    {
      name: 'x',
      operation: 'saveAvatar',
      validate: (honest) => (operation, body) =>
        String((body as { name?: unknown }).name).length > 100 ? refused() : honest(operation, body),
    },
    'profile',
    /text-limit:name of saveAvatar .*none up to 10000 characters — 10000 characters refused with 422/,
  ],
  [
    'another order of a list',
    {
      name: 'x',
      operation: 'listBlocked',
      handle: (honest) => (visit) => {
        const reply = honest(visit);
        return { ...reply, body: (reply.body as unknown[]).toReversed() };
      },
    },
    'friends',
    /paging of listBlocked .* — oldest first, not newest first/,
  ],
  [
    'a page that starts elsewhere',
    {
      name: 'x',
      operation: 'listBlockers',
      handle: (honest) => (visit) => {
        const args = visit.args as { n1: string; n2: string };
        return honest({
          ...visit,
          args: { n1: String(Math.max(0, Number(args.n1) - 1)), n2: args.n2 },
        } as typeof visit);
      },
    },
    'friends',
    /paging of listBlockers .* — unexpected entries at 1\/1: 1 instead of 1/,
  ],
  [
    'a language that is gone',
    {
      name: 'x',
      operation: 'reportOptions',
      handle: (honest) => (visit) => {
        if ((visit.args as { language: string }).language === 'fr') throw new Refusal(404, 'x', 'x');
        return honest(visit);
      },
    },
    'stories',
    /languages of reportOptions .* — fr is refused with 404/,
  ],
  [
    'a further code',
    {
      name: 'x',
      operation: 'reportOptions',
      handle: (honest) => (visit) => {
        const reply = honest(visit);
        return { ...reply, body: [...(reply.body as object[]), { code: 'OTHER', label: 'other' }] };
      },
    },
    'stories',
    /report-codes of reportOptions .* — SEXUALLY_INAPPROPRIATE, HATE_OR_HARASSMENT, OTHER, SPAM/,
  ],
  [
    'a gender that is no longer allowed',
    {
      name: 'x',
      operation: 'updateProfile',
      validate: (honest) => (operation, body) =>
        (body as { gender?: unknown }).gender === -1 ? refused() : honest(operation, body),
    },
    'profile',
    /allowed-values:gender of updateProfile .* — -1 is refused with 422/,
  ],
];

for (const [what, fault, area, reported, titles] of broken) {
  test(`drifted: ${what}`, async (t) => {
    service.faults.set(fault);
    t.after(() => service.faults.set());
    const results = await hold({}, area, titles);
    const drifted = results.filter(({ verdict }) => verdict === 'drifted');
    assert.ok(drifted.length > 0, JSON.stringify(verdictsOf(results)));
    for (const { grade } of drifted) assert.equal(grade, 'learned');
    assert.match(verdictsOf(drifted).join('\n'), reported);
    if (titles)
      assert.deepEqual(
        titles.filter((title) => !drifted.some((result) => result.title === title)),
        [],
      );
  });
}
