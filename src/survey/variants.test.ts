import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumptions } from '../../reference-service/assumptions/table.ts';
import type { Service } from '../../reference-service/index.ts';
import type { Environment } from '../config/index.ts';
import { startProxy, type WireVariant } from '../fault-injection/wire/proxy.ts';
import { surveyOf, withFreshService } from '../testing/survey/surveyed.ts';
import { always200, enveloped, lagging, lenient, mute200, paged, strict, terse } from '../testing/survey/variants.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { UNDECIDED } from './facts/fact.ts';
import type { SurveyOptions } from './run-survey.ts';

type Expected = Readonly<Record<string, string | RegExp>>;

interface Row {
  readonly name: string;
  readonly variant: WireVariant;
  readonly only: NonNullable<SurveyOptions['only']>;
  readonly environment?: Partial<Environment>;
  /** Where less than nearly everything can be decided. */
  readonly decidedShare?: number;
  /** By `operation question` or by `question`: what is answered otherwise than by the decision table. */
  readonly expected: Expected;
}

/** One operation of each kind is as informative as all fourteen. */
const some = ['block', 'reportOptions', 'updateProfile', 'deleteItem'];

const notOf =
  (...questions: RegExp[]): Row['only'] =>
  (question, id) =>
    some.includes(id) && !question.startsWith('text-limit') && !questions.some((not) => not.test(question));

const byCode = { pointer: '/code', value: 0, text: '/code=0' };

const rows: readonly Row[] = [
  {
    name: 'envelopes',
    variant: enveloped,
    only: notOf(/wrong-type|allowed/),
    expected: {
      'answer-shape': /^\{ok: boolean, data: (\{.*\}(\[\])?|anything)\}$/,
      'deleteItem success-status': '200',
      'error-shape': 'application/json {ok, reason}',
    },
  },
  {
    name: 'nothing in the answer to a change, a text in a refusal',
    variant: terse,
    only: notOf(/wrong-type|allowed/),
    expected: {
      ...Object.fromEntries(
        ['block', 'updateProfile', 'deleteItem'].flatMap((id) => [
          [`${id} success-status`, '204'],
          [`${id} answer-shape`, 'no body'],
        ]),
      ),
      'error-shape': 'text/plain, no JSON',
    },
  },
  {
    name: 'always 200, and SUCCESS_WHEN defines success',
    variant: always200,
    environment: { successWhen: byCode },
    only: notOf(/wrong-type|allowed/),
    expected: {
      'success-status': '200',
      'answer-shape': /^\{code: integer, data: (\{.*\}(\[\])?|anything)\}$/,
      'error-shape': 'application/json {code, data}',
      'required-field:name': /optional|required, else 200/,
      '*refused': 'refused with 200',
    },
  },
  {
    name: 'always 200, without SUCCESS_WHEN',
    variant: mute200,
    only: (question, id) => id === 'love' && !question.startsWith('text-limit'),
    decidedShare: 0.1,
    expected: { 'success-status': '200', 'answer-shape': '{code: integer, message: string}' },
  },
  {
    name: 'pages from 1 by size, 25 at most, oldest first',
    variant: paged,
    only: (question, id) => id === 'listBlocked' && /paging|visible|success/.test(question),
    environment: { blockListSegments: { n1: '1', n2: '20' } },
    expected: { 'listBlocked paging': 'page/size, first index 1, cap 25, oldest first' },
  },
  {
    name: 'lists that lag behind, limit first, oldest first',
    variant: lagging(250),
    only: (question, id) => id === 'listBlocked' && /paging|visible|success/.test(question),
    expected: {
      'listBlocked paging': 'limit/offset, first index 0, no cap up to 120, oldest first',
      'listBlocked block-visible': /^within \d+ ms$/,
    },
  },
  {
    name: 'what is so already is refused',
    variant: strict(),
    only: (question, id) => ['block', 'unlove'].includes(id) && !question.startsWith('text'),
    expected: { repeat: 'refused with 409' },
  },
  {
    name: 'lenient bodies, short texts, few codes',
    variant: lenient,
    only: (question, id) =>
      ['report', 'updateProfile'].includes(id) && /success|field|text-limit|unknown|allowed/.test(question),
    expected: {
      'report required-field:message': 'optional',
      'report text-limit:message': '280 characters, else 422',
      'unknown-field': 'accepted',
      'updateProfile allowed-values:gender': '0, 1, 2; not -1, 3, 9, 100',
      'report unknown-story': 'refused with 422',
    },
  },
];

const table = new Map<string, string>(
  assumptions.flatMap(({ operations, question, answer }) =>
    operations.map((id) => [`${id} ${question}`, answer] as const),
  ),
);

test("users that are somebody's: surveyed without a wrong statement, and left as they were", async () => {
  await withFreshService(async (service, folder) => {
    const { provisionUrl: _, ...environment } = embeddedEnvironment(service);
    const only: Row['only'] = (question, id) =>
      ['listBlockers', 'unlove', 'updateProfile', 'deleteItem'].includes(id) && !question.startsWith('text-limit');
    const before = await stateOf(service, environment);
    const { survey, ended, left } = await surveyOf(environment, folder, { only });
    assert.deepEqual({ ended, left }, { ended: undefined, left: [] });
    const thin = /^(.*\?: .*|\{userId: string, blockedAt: string\}\[\])$/;
    const wrong = survey.facts.filter(({ operation, question, answer }) => {
      if (answer === UNDECIDED) return false;
      return answer !== table.get(`${operation} ${question}`) && !(question === 'answer-shape' && thin.test(answer));
    });
    assert.deepEqual(wrong, []);
    const answers = new Map(
      survey.facts.map(({ operation, question, answer }) => [`${operation} ${question}`, answer]),
    );
    assert.equal(answers.get('deleteItem success-status'), '204');
    assert.equal(answers.get('deleteItem repeat'), 'refused with 404');
    assert.equal(answers.get('deleteItem scheme-case'), 'any case');
    assert.equal(answers.get('listBlockers paging'), UNDECIDED);
    assert.deepEqual(await stateOf(service, environment), before);
  });
});

/** The caller's lists, love and profile, read without the suite. */
async function stateOf({ addresses }: Service, { caller }: Environment): Promise<unknown[]> {
  const headers = {
    authorization: `bearer ${caller.accessToken?.reveal()}`,
    'mm-client-id': caller.clientId,
    'mm-user-id': caller.userId,
  };
  const read = async (address: string) => (await fetch(address, { headers })).json();
  return Promise.all([
    read(`${addresses.friends}/v1/friends/block/0/100`),
    read(`${addresses.friends}/v1/friends/block/me/0/100`),
    read(`${addresses.profile}/v1/profile/${caller.userId}`),
  ]);
}

for (const { name, variant, only, environment, expected, decidedShare = 0.9 } of rows) {
  test(`${name}: surveyed without a wrong statement`, async () => {
    await withFreshService(async (service, folder) => {
      const proxy = await startProxy(service, variant);
      try {
        const run = await surveyOf({ ...embeddedEnvironment(proxy), ...environment }, folder, { only });
        assert.equal(run.ended, undefined);
        assert.deepEqual(run.left, []);
        const { facts } = run.survey;
        const decided = facts.filter(({ answer }) => answer !== UNDECIDED).length;
        // "Undecided" is never wrong, so it must not be the easy way out.
        assert.ok(decided >= facts.length * decidedShare, `${decided} of ${facts.length} decided`);
        const wrong = facts.filter(({ operation, question, answer }) => {
          const own =
            expected[`${operation} ${question}`] ?? expected[question] ?? refusal(expected, operation, question);
          if (own instanceof RegExp) return !own.test(answer);
          return own === undefined
            ? ![UNDECIDED, table.get(`${operation} ${question}`)].includes(answer)
            : answer !== own;
        });
        assert.deepEqual(
          wrong.map(({ operation, question, answer, tried }) => `${operation} ${question} = ${answer} ${tried ?? ''}`),
          [],
        );
      } finally {
        await proxy.stop();
      }
    });
  });
}

/** Where every refusal has the same status, the decision table's words with that status. */
function refusal(expected: Expected, operation: string, question: string): string | undefined {
  const said = table.get(`${operation} ${question}`);
  return '*refused' in expected ? said?.replace(/(refused with|else) \d+$/, '$1 200') : undefined;
}
