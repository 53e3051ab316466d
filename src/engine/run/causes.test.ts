import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Claim, type Exchange, ExpectationError, SuiteFault, type Verdict } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import { NotTried } from '../safety/index.ts';
import { causeLine, causesOf, type FailedTest, followsLine } from './causes.ts';
import { endingOf, failureOfReason } from './failure.ts';

type Ending = number | { phase: Exchange['phases'] extends infer _ ? 'connect' | 'processing' : never; reason: string };

interface Met {
  readonly title: string;
  readonly operation: CallableId;
  readonly ending: Ending;
  readonly claim?: Claim;
  readonly observed?: string;
  readonly verdict?: Extract<Verdict, 'failed' | 'refused' | 'unreachable' | 'unknown' | 'drifted'>;
  readonly isCleanUp?: boolean;
  readonly needs?: CallableId;
}

const statusTexts: Readonly<Record<number, string>> = {
  200: '200 OK',
  404: '404 Not Found',
  500: '500 Internal Server Error',
};

/** A failure as its scenario ends with it. */
function told({
  title,
  operation,
  ending,
  claim = 'assumed: it works',
  verdict,
  isCleanUp,
  needs,
  ...met
}: Met): FailedTest[] {
  const hasStatus = typeof ending === 'number';
  const observed =
    met.observed ??
    (hasStatus ? (statusTexts[ending] ?? `${ending} X`) : `unreachable in ${ending.phase}: ${ending.reason}`);
  const exchange = {
    operation,
    request: { method: 'POST', url: 'http://127.0.0.1:4010/v1/x', headers: {}, correlation: {}, body: '{}' },
    ...(hasStatus
      ? { response: { status: ending, headers: [], body: { text: '{"status":500}' } } }
      : { failure: ending }),
  } as unknown as Exchange;
  verdict ??= hasStatus ? 'failed' : 'unreachable';
  const { failure } = endingOf(new ExpectationError(exchange, { verdict, claim, observed }, needs), [exchange]);
  // A history keeps only its sentence and the call.
  const { reason, grade } = failure;
  const kept = failureOfReason(failure.verdict, reason, grade);
  assert.deepEqual([kept.claim, kept.observed], [failure.claim, failure.observed]);
  return [{ ...failure, ...(isCleanUp ? { merely: 'clean-up' } : {}), environment: 'e', title }];
}

const other = (title: string, message: string): FailedTest => ({
  ...endingOf(new SuiteFault(message), []).failure,
  environment: 'e',
  title,
});
const notTried = (title: string): FailedTest => ({
  ...endingOf(
    new NotTried('ACCESS_TOKEN', 'ACCESS_TOKEN is not accepted (401 at Friends, Stories): check E_ACCESS_TOKEN'),
    [],
  ).failure,
  environment: 'e',
  title,
});
const refusedBy = (credential: 'ACCESS_TOKEN' | 'API_KEY', failures: readonly FailedTest[]) =>
  failures.map((failure) => ({ ...failure, credential }));
type Rest = Omit<Met, 'title' | 'operation' | 'ending'>;
const each = (titles: string, operation: CallableId, ending: Ending, rest: Rest = {}) =>
  [...titles].flatMap((title) => told({ title, operation, ending, ...rest }));
/** One test that fails for several operations. */
const all = (title: string, ending: Ending, operations: readonly CallableId[], rest: Rest = {}) =>
  operations.flatMap((operation) => told({ title, operation, ending, ...rest }));

const refusal: Claim = 'documented: mm-user-id is required';
const listed = (title: string, id: string, claim: Claim = 'documented: it lists a friend') =>
  each(title, 'listBlocked', 200, {
    claim,
    observed: `"${id}" not found in ${id.length === 1 ? '1 entry' : `${id.length} entries`} (after 2,0${id.length} ms)`,
  });
const learned = (claim: Claim, observed: string): Rest => ({ claim, observed, verdict: 'drifted' });
const leftBehind = `200 OK: it was accepted; block {"friendId":"x"} of user-ada, left behind by another scenario at 12:00, could not be undone`;
const inCleanUp = { isCleanUp: true };
const [tooLate, notConnected] = [
  { phase: 'processing', reason: 'no complete response within 400 ms' },
  { phase: 'connect', reason: 'connection refused' },
] as const;
const follows = (count: number) => `· ${count} of them only in clean-up, or because it kept them from starting`;
const handles = (mistake: string, operations: readonly CallableId[]) =>
  operations.flatMap((operation) => told({ title: `${operation} handles ${mistake}`, operation, ending: 500 }));

/** Failures, and the lines of their causes. */
const rows: Readonly<Record<string, readonly [failures: FailedTest[], ...lines: string[]]>> = {
  'no failure, no cause': [[]],
  'an error of the service is its operation’s, whatever was expected': [
    [...each('ab', 'unblock', 500), ...each('c', 'unblock', 500, { claim: refusal })],
    'Friends: unblock answers 500 (3 tests)',
  ],
  'clean-up that failed stands under its cause, and a test counts once': [
    [...each('ab', 'unlove', 500, inCleanUp), ...each('aac', 'unlove', 500)],
    `Stories: unlove answers 500 (3 tests) ${follows(1)}`,
  ],
  'one status of two operations is two causes, of three operations the area’s': [
    [...all('a', 502, ['block', 'unblock', 'listBlocked']), ...all('b', 502, ['love', 'unlove'])],
    'Friends: block, unblock and listBlocked answer 502 (1 test)',
    'Stories: love answers 502 (1 test)',
    'Stories: unlove answers 502 (1 test)',
  ],
  'one kind of invalid input is one cause, but not where the operation ends so for valid input too': [
    [
      ...handles('unusual Unicode', ['block', 'love', 'report', 'evaluate']),
      ...handles('invalid path segments', ['listBlocked', 'listBlockers']),
      ...each('a', 'block', 500),
    ],
    'Stories, Feature toggles: love, report and evaluate answer 500 to unusual Unicode (3 tests)',
    'Friends: block answers 500 (2 tests)',
    'Friends: listBlocked and listBlockers answer 500 to invalid path segments (2 tests)',
  ],
  'the gravest first, then the best founded, then the most frequent': [
    [
      ...each('a', 'love', 200, learned('learned: /x is a number', '/x is a string')),
      ...each('bc', 'unlove', 404),
      ...each('d', 'report', 404),
      ...each('e', 'block', 200, { claim: refusal, observed: '200 OK: it was accepted' }),
    ],
    'Friends: block accepts what it must refuse: “mm-user-id is required” (1 test)',
    'Stories: unlove answers 404 (2 tests)',
    'Stories: report answers 404 (1 test)',
    'Stories: love breaks “/x is a number” (1 test)',
  ],
  'several fields of one response are said once': [
    ['/x', '/y'].flatMap((field) => each('ab', 'love', 200, learned('learned: its shape', `${field} is missing`))),
    'Stories: love breaks “its shape” (2 tests)',
  ],
  'ids, counts and times tell no causes apart': [
    [...listed('a', 'x'), ...listed('b', 'yy', 'documented: it lists a user')],
    'Friends: listBlocked breaks “it lists a friend” (2 tests)',
  ],
  'a body that is no JSON': [
    each('a', 'block', 200, { observed: '200 OK, but the body is not valid JSON' }),
    'Friends: block answers 200, but the body is not valid JSON (1 test)',
  ],
  'a host without connection is one cause for all areas and operations': [
    [...all('a', notConnected, ['block', 'love']), ...all('b', notConnected, ['block', 'love'])],
    'Friends, Stories: no connection to http://127.0.0.1:4010 (connect): connection refused (2 tests)',
  ],
  'no response in time is the operation’s': [
    each('ab', 'block', tooLate),
    'Friends: block gives no usable response: no complete response within 400 ms (2 tests)',
  ],
  'what was not tried stands with its refusals': [
    [...refusedBy('ACCESS_TOKEN', each('a', 'block', 401, { verdict: 'refused' })), notTried('b'), notTried('c')],
    `ACCESS_TOKEN is refused (401) at Friends (3 tests) ${follows(2)}`,
  ],
  'a credential that several areas refuse is one cause, and each has its own': [
    [
      ...refusedBy('ACCESS_TOKEN', [
        ...each('a', 'block', 401, { verdict: 'refused' }),
        ...each('b', 'love', 403, { verdict: 'refused' }),
      ]),
      ...refusedBy('API_KEY', each('c', 'cloneType', 401, { verdict: 'refused' })),
    ],
    'ACCESS_TOKEN is refused (401, 403) in 2 areas (2 tests)',
    'Game design: cloneType answers 401 to our credentials (1 test)',
  ],
  'operations that refuse credentials are one cause of their area': [
    [...all('a', 403, ['block', 'unblock'], { verdict: 'refused' }), ...each('b', 'love', 401, { verdict: 'refused' })],
    'Friends: block and unblock answer 403 to our credentials (1 test)',
    'Stories: love answers 401 to our credentials (1 test)',
  ],
  'what could not be judged for a change left behind stands under its undo': [
    [
      ...each('a', 'unblock', 500, inCleanUp),
      ...each('b', 'unblock', 500),
      ...each('c', 'listBlocked', 200, { observed: leftBehind, verdict: 'unknown', needs: 'unblock' }),
    ],
    `Friends: unblock answers 500 (3 tests) ${follows(2)}`,
  ],
  'without a call, the text is the cause': [
    [
      other('a', 'POST http://h/users returned status 500'),
      other('b', 'POST http://h/users returned status 500'),
      other('c', 'tests/a.spec.ts:12: block() ends in no expectation'),
      other('d', 'tests/a.spec.ts:34: block() ends in no expectation'),
    ],
    'POST http://h/users returned status 500 (2 tests)',
    'tests/a.spec.ts:12: block() ends in no expectation (1 test)',
    'tests/a.spec.ts:34: block() ends in no expectation (1 test)',
  ],
};

for (const [name, [failures, ...lines]] of Object.entries(rows))
  test(name, () => {
    const shown = causesOf(failures).map((cause) =>
      [causeLine(cause), followsLine(cause)].filter((part) => part).join(' · '),
    );
    assert.deepEqual(shown, lines);
  });

test('each environment has its own causes', () => {
  const [one] = each('a', 'unblock', 500) as [FailedTest];
  const said = causesOf([one, { ...one, environment: 'f' }]).map((cause) => `${cause.environment} ${cause.sentence}`);
  assert.deepEqual(said, ['e Friends: unblock answers 500', 'f Friends: unblock answers 500']);
});
