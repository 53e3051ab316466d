import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../http/index.ts';
import { type AreaId, areaIds, type CallableId } from '../../service/index.ts';
import { ACCEPTS, type Claim, ExpectationError, NotTried, SuiteFault, type Verdict } from '../../verdict/index.ts';
import { type CauseInRun, causeDetails, causeLine, causesOf, type FailedTest } from './causes.ts';

type Ending = number | { phase: Exchange['phases'] extends infer _ ? 'connect' | 'processing' : never; reason: string };

interface Met {
  readonly title: string;
  readonly operation: CallableId;
  readonly ending: Ending;
  readonly claim?: Claim;
  readonly observed?: string;
  /** The failure's `ending`. If absent, a failure with an error status has the ending `answers <status>`. */
  readonly ends?: string;
  readonly isInvalid?: true;
  readonly verdict?: Extract<Verdict, 'failed' | 'refused' | 'unreachable' | 'unknown' | 'drifted'>;
  readonly isCleanUp?: boolean;
  readonly needs?: CallableId;
}

const statusTexts: Readonly<Record<number, string>> = {
  200: '200 OK',
  404: '404 Not Found',
  500: '500 Internal Server Error',
};

/** A failure in the form in which `endScenario` returns it. */
function endingOf({
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
  const ends = met.ends ?? (hasStatus && ending >= 400 ? `answers ${ending}` : undefined);
  const judged = { ...(ends ? { ending: ends } : {}), ...(met.isInvalid ? { isInvalid: met.isInvalid } : {}) };
  const { failure } = new ExpectationError(exchange, { verdict, claim, observed, needs, ...judged });
  return [{ ...failure, ...(isCleanUp ? { merely: 'clean-up' } : {}), environment: 'e', title }];
}

const other = (title: string, message: string): FailedTest => ({
  ...new SuiteFault(message).failure,
  environment: 'e',
  title,
});
const [{ call: refusedCall }] = endingOf({ title: 'b', operation: 'love', ending: 401, verdict: 'refused' }) as [
  FailedTest,
];
const notTried = (title: string, ...areas: AreaId[]): FailedTest => ({
  ...new NotTried({
    ...{ verdict: 'refused', category: 'refused', grade: 'assumed', credential: 'ACCESS_TOKEN' },
    reason: 'ACCESS_TOKEN is not accepted (401 at Friends, Stories): check E_ACCESS_TOKEN',
    refused: {
      statuses: [401, 401, 401],
      areas: areas.length > 0 ? areas : ['friends', 'stories', 'friends'],
      operations: areas.length > 0 ? ['block'] : ['block', 'love'],
      place: 'E_ACCESS_TOKEN',
      ...(refusedCall ? { call: refusedCall } : {}),
    },
  }).failure,
  environment: 'e',
  title,
});
const refusedBy = (credential: 'ACCESS_TOKEN' | 'API_KEY' | 'FRIEND_ACCESS_TOKEN', failures: readonly FailedTest[]) =>
  failures.map((failure) => ({ ...failure, credential }));
const withFields = (fields: Partial<FailedTest>, ...all: readonly (readonly FailedTest[])[]) =>
  all.flat().map((failure) => ({ ...failure, ...fields }));
const unseen = (change: CallableId, ...all: readonly (readonly FailedTest[])[]) =>
  all.flat().map((failure) => ({ ...failure, unseen: { change, list: failure.call?.operation ?? 'listBlocked' } }));
type Rest = Omit<Met, 'title' | 'operation' | 'ending'>;
const each = (titles: string, operation: CallableId, ending: Ending, rest: Rest = {}) =>
  [...titles].flatMap((title) => endingOf({ title, operation, ending, ...rest }));
/** One test with several failures, one for each operation. */
const all = (title: string, ending: Ending, operations: readonly CallableId[], rest: Rest = {}) =>
  operations.flatMap((operation) => endingOf({ title, operation, ending, ...rest }));

const refusal: Claim = 'documented: mm-user-id is required';
const listed = (title: string, id: string, claim: Claim = 'documented: it lists a friend') =>
  each(title, 'listBlocked', 200, {
    claim,
    observed: `"${id}" not found in ${id.length === 1 ? '1 entry' : `${id.length} entries`} (after 2,0${id.length} ms)`,
  });
const learned = (claim: Claim, observed: string): Rest => ({ claim, observed, verdict: 'drifted' });
const refusedOtherwise = {
  ...{ sentence: 'Game design: cloneType is refused otherwise', evidence: 'e', breaks: true },
  asked: [{ question: 'q', operation: 'cloneType' }],
};
const leftBehind = `200 OK: it was accepted; block {"friendId":"x"} of user-ada, left behind by another scenario at 12:00, could not be undone`;
const inCleanUp = { isCleanUp: true };
const [tooLate, notConnected] = [
  { phase: 'processing', reason: 'no complete response within 400 ms' },
  { phase: 'connect', reason: 'connection refused' },
] as const;
const follows = (count: number | 'all') =>
  `· ${count} of them failed only in clean-up, or could not start because of this`;
const handles = (mistake: string, operations: readonly CallableId[]) =>
  operations.flatMap((operation) =>
    endingOf({ title: `${operation} handles ${mistake}`, operation, ending: 500, isInvalid: true }),
  );

const causesOfFailures = (failures: readonly FailedTest[], working: readonly AreaId[] = areaIds, accepted?: string[]) =>
  causesOf(failures.map((each) => ({ ...each, failures: [each], working, ...(accepted ? { accepted } : {}) })));

/** All lines about a cause as one line, except the body of the error response. */
const shown = ({ body: _, ...cause }: CauseInRun) => [causeLine(cause), ...causeDetails(cause)].join(' · ');

/** Failures, and the expected lines of their causes. */
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
  'invalid input is one cause of all operations, but not where one ends so for valid input too': [
    [
      ...handles('unusual Unicode', ['block', 'love', 'report', 'evaluate']),
      ...handles('invalid path segments', ['listBlocked', 'listBlockers']),
      ...each('a', 'block', 500),
    ],
    'Friends, Stories, Feature toggles: 5 operations answer 500 to invalid input (5 tests)',
    'Friends: block answers 500 (2 tests)',
  ],
  'the gravest first, then the best founded, then the most frequent': [
    [
      ...each('a', 'love', 200, learned('learned: /x is a number', '/x is a string')),
      ...each('bc', 'unlove', 404),
      ...each('d', 'report', 404),
      ...each('e', 'block', 200, { claim: refusal, ends: ACCEPTS }),
    ],
    'Friends: block accepts what it must refuse: “mm-user-id is required” (1 test)',
    'Stories: unlove answers 404 (2 tests)',
    'Stories: report answers 404 (1 test)',
    "Stories: love: “/x is a number” doesn't hold (1 test)",
  ],
  'operations of an area that all say the same that is no success are one cause': [
    all('a', 200, ['block', 'unblock', 'listBlocked'], { ends: 'answers 200, but the body is HTML' }),
    'Friends: block, unblock and listBlocked answer 200, but the body is HTML (1 test)',
  ],
  'an operation that two requests are refused by in two ways has two causes': [
    [...each('ab', 'unlove', 404), ...each('c', 'unlove', 409)],
    'Stories: unlove answers 404 (2 tests)',
    'Stories: unlove answers 409 (1 test)',
  ],
  'one operation that invalid input alone breaks has the words that a report of this test alone has': [
    handles('unusual Unicode', ['love']),
    'Stories: love answers 500 (1 test)',
  ],
  'several fields of one response are said once': [
    ['/x', '/y'].flatMap((field) => each('ab', 'love', 200, learned('learned: its shape', `${field} is missing`))),
    "Stories: love: “its shape” doesn't hold (2 tests)",
  ],
  'ids, counts and times tell no causes apart': [
    [...listed('a', 'x'), ...listed('b', 'yy', 'documented: it lists a user')],
    "Friends: listBlocked: “it lists a friend” doesn't hold (2 tests)",
  ],
  'a body that is no JSON': [
    each('a', 'block', 200, { ends: 'answers 200, but the body is not valid JSON' }),
    'Friends: block answers 200, but the body is not valid JSON (1 test)',
  ],
  'a host without connection is one cause for all areas and operations': [
    [...all('a', notConnected, ['block', 'love']), ...all('b', notConnected, ['block', 'love'])],
    "127.0.0.1 can't be reached: connection refused (Friends and Stories) (2 tests)",
  ],
  'no response in time is the operation’s': [
    each('ab', 'block', tooLate),
    'Friends: block gives no usable response: no complete response within 400 ms (2 tests)',
  ],
  'what was not tried stands with its refusals': [
    [...refusedBy('ACCESS_TOKEN', each('a', 'block', 401, { verdict: 'refused' })), notTried('b'), notTried('c')],
    `ACCESS_TOKEN is refused (401) in Friends and Stories (3 tests) ${follows(2)}; check E_ACCESS_TOKEN`,
  ],
  'what was not tried alone names the refusals that it knows of': [
    [notTried('b')],
    `ACCESS_TOKEN is refused (401) in Friends and Stories (1 test) ${follows('all')}; check E_ACCESS_TOKEN`,
  ],
  'an operation that accepts what it must refuse is one cause, whatever that is': [
    [
      ...each('a', 'block', 200, { claim: refusal, ends: ACCEPTS }),
      ...each('b', 'block', 200, { claim: 'documented: a token is required', ends: ACCEPTS }),
    ],
    'Friends: block accepts what it must refuse: “mm-user-id is required” and “a token is required” (2 tests)',
  ],
  'an error of the service is what broke, whatever was observed': [
    each('a', 'unblock', 500, { ends: '', observed: 'it is still shown' }),
    'Friends: unblock answers 500 (1 test)',
  ],
  'what was not tried for a credential of one area names that': [
    [...refusedBy('ACCESS_TOKEN', each('a', 'block', 401, { verdict: 'refused' })), notTried('b', 'friends')],
    `ACCESS_TOKEN is refused (401) in Friends (2 tests) ${follows(1)}; check E_ACCESS_TOKEN`,
  ],
  'a credential that several areas refuse is one cause, and each has its own': [
    [
      ...refusedBy('ACCESS_TOKEN', [
        ...each('a', 'block', 401, { verdict: 'refused' }),
        ...each('b', 'love', 403, { verdict: 'refused' }),
      ]),
      ...refusedBy('API_KEY', [
        ...each('c', 'cloneType', 401, { verdict: 'refused' }),
        ...each('d', 'evaluate', 401, { verdict: 'refused' }),
      ]),
      ...refusedBy('FRIEND_ACCESS_TOKEN', each('e', 'block', 401, { verdict: 'refused' })),
    ],
    'ACCESS_TOKEN is refused (401, 403) in Friends and Stories (2 tests)',
    'API_KEY is refused (401) in Game design and Feature toggles (2 tests)',
    'Friends: block answers 401 to our FRIEND_ACCESS_TOKEN (1 test)',
  ],
  'what something in front of the service denies is one cause, with its cure': [
    withFields(
      { frontDoor: 'ask its owners', sentence: 'a proxy denies the request' },
      all('a', 403, ['block', 'love'], { verdict: 'refused' }),
      each('b', 'evaluate', 401, { verdict: 'refused' }),
    ),
    "127.0.0.1 can't be reached: a proxy denies the request (Friends, Stories and Feature toggles) (2 tests) · ask its owners",
  ],
  'operations that refuse credentials are one cause of their area': [
    [
      ...all('a', 403, ['block', 'unblock', 'listBlocked'], { verdict: 'refused' }),
      ...each('b', 'love', 401, { verdict: 'refused' }),
    ],
    'Friends: block, unblock and listBlocked answer 403 to our credentials (1 test)',
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
  'a change that is accepted and never shows is what broke, and not the list': [
    [
      ...unseen('unblock', listed('a', 'x'), listed('b', 'yy', 'documented: it lists nobody')),
      ...unseen('unblock', each('c', 'listBlockers', 200, { observed: '"x" found' })),
      ...each('d', 'unblock', 200, { claim: refusal, ends: ACCEPTS }),
    ],
    'Friends: unblock is accepted and never shows in listBlocked and listBlockers (3 tests)',
    'Friends: unblock accepts what it must refuse: “mm-user-id is required” (1 test)',
  ],
  'a friend who is taken for another user is one cause of all that the friend does': [
    [
      ...withFields({ isFriends: true, stranger: 'eve' }, unseen('block', each('a', 'listBlockers', 200))),
      ...withFields({ isFriends: true }, unseen('block', each('b', 'listBlockers', 200))),
      ...withFields({ isFriends: true }, each('c', 'love', 404)),
      ...withFields({ isFriends: true }, each('d', 'love', 500)),
      ...each('e', 'love', 404),
    ],
    "the service takes the friend's requests for those of eve; check FRIEND_ACCESS_TOKEN (3 tests)",
    'Stories: love answers 404 (1 test)',
    'Stories: love answers 500 (1 test)',
  ],
  'what was learned of an operation that fails, and what needs it, are details of its failure': [
    [
      ...each('b', 'cloneType', 400, { verdict: 'drifted' }).map((failure) => ({
        ...failure,
        drift: refusedOtherwise,
      })),
      ...each('a', 'cloneType', 400),
      ...each('c', 'cloneType', 400, { verdict: 'unknown', needs: 'cloneType' }),
    ],
    `Game design: cloneType answers 400 (3 tests) · Game design: cloneType is refused otherwise ${follows(1)}`,
  ],
  'what the team gave, and several operations refuse, is one cause that names its key': [
    withFields({ given: 'STORY_ID=s' }, each('a', 'love', 404), each('b', 'report', 404, { ends: '' })),
    'Stories: love and report answer 404 for STORY_ID=s, which may no longer exist (2 tests)',
  ],
  'nobody knows which test met a dead address or provisioner first': [
    [
      ...each('a', 'block', notConnected),
      ...withFields({ merely: 'not tried' }, each('bc', 'block', notConnected)),
      other('d', 'POST http://h/users did not respond'),
      ...withFields({ merely: 'not tried' }, [other('e', 'POST http://h/users did not respond')]),
    ],
    "127.0.0.1 can't be reached: connection refused (Friends) (3 tests)",
    'POST http://h/users did not respond (2 tests)',
  ],
  'a sentence of its own is the cause': [
    withFields(
      { sentence: 'The view no longer shows it' },
      each('ab', 'unlove', 200, learned('learned: x is shown', 'it was not')),
    ),
    'Stories: The view no longer shows it (2 tests)',
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
    assert.deepEqual(causesOfFailures(failures).map(shown), lines);
  });

test('no area is down as a whole where nobody knows what worked', () => {
  const failures = all('a', 500, ['block', 'unblock']);
  const [cause] = causesOf([{ environment: 'e', title: 'a', verdict: 'failed', failures }]);
  assert.equal(cause?.sentence, 'Friends: block answers 500');
});

test('each environment has its own causes', () => {
  const [one] = each('a', 'unblock', 500) as [FailedTest];
  const said = causesOfFailures([one, { ...one, environment: 'f' }]).map(
    (cause) => `${cause.environment} ${cause.sentence}`,
  );
  assert.deepEqual(said, ['e Friends: unblock answers 500', 'f Friends: unblock answers 500']);
});

/** Failures, the areas that worked in any test of the run, and the expected lines. */
const outages: readonly [name: string, failures: FailedTest[], working: AreaId[], ...lines: string[]][] = [
  [
    'an area that answers nothing but errors',
    [...each('ab', 'love', 503), ...each('c', 'unlove', 503), ...each('d', 'block', 503)],
    ['friends'],
    'Stories answers 503 (3 tests)',
    'Friends: block answers 503 (1 test)',
  ],
  [
    'areas that all end so are one cause',
    [
      ...all('a', 500, ['love', 'unlove', 'block', 'unblock', 'listBlocked']),
      ...handles('Unicode', ['love', 'report']),
    ],
    [],
    'Friends and Stories answer 500 (3 tests)',
  ],
  [
    'one operation says nothing of its area',
    [...each('ab', 'cloneType', 500)],
    ['stories'],
    'Game design: cloneType answers 500 (2 tests)',
  ],
  [
    'an area of one operation is down with others',
    [...each('ab', 'cloneType', 500), ...each('c', 'love', 500), ...each('c', 'reportOptions', 500)],
    [],
    'Stories and Game design answer 500 (3 tests)',
  ],
  [
    'an area of which anything worked is not down',
    [...each('ab', 'love', 500), ...each('c', 'unlove', 500)],
    ['stories'],
    'Stories: love answers 500 (2 tests)',
    'Stories: unlove answers 500 (1 test)',
  ],
  [
    'what needs an operation of such an area follows',
    [
      ...all('a', 500, ['block', 'unblock']),
      ...each('b', 'listBlocked', 200, { observed: leftBehind, verdict: 'unknown', needs: 'unblock' }),
    ],
    [],
    `Friends answers 500 (2 tests) ${follows(1)}`,
  ],
];

for (const [name, failures, working, ...lines] of outages)
  test(name, () => {
    assert.deepEqual(causesOfFailures(failures, working).map(shown), lines);
  });

const [byKey, byToken] = [
  refusedBy('API_KEY', each('ab', 'evaluate', 401, { verdict: 'refused' })),
  (operations: readonly CallableId[]) => refusedBy('ACCESS_TOKEN', all('a', 401, operations, { verdict: 'refused' })),
];
const keyIsRefused = 'API_KEY is refused (401) in Feature toggles (2 tests)';
/** Refusals, the credentials that the service accepted elsewhere in the run, and the expected line. */
const refusals: readonly [name: string, failures: FailedTest[], accepted: string[], line: string][] = [
  [
    'an operation that refuses what others accept stands for itself',
    byKey,
    ['API_KEY'],
    'Feature toggles: evaluate answers 401 to our API_KEY (2 tests)',
  ],
  [
    'what was not tried for it stands under it',
    [...byToken(['block']), notTried('b', 'friends')],
    ['ACCESS_TOKEN'],
    'Friends: block answers 401 to our ACCESS_TOKEN (2 tests)',
  ],
  [
    'two operations of an area that are refused until the credential is sent no more are refused for it',
    [...byToken(['block', 'unblock']), notTried('b', 'friends')],
    ['ACCESS_TOKEN'],
    'ACCESS_TOKEN is refused (401) in Friends (2 tests)',
  ],
  ['what nothing accepts is refused, even if one operation alone needs it', byKey, [], keyIsRefused],
  ['that another credential is accepted says nothing', byKey, ['ACCESS_TOKEN'], keyIsRefused],
  [
    'up to three areas are named',
    byToken(['block', 'love', 'updateProfile']),
    ['ACCESS_TOKEN'],
    'ACCESS_TOKEN is refused (401) in Friends, Stories and Profile (1 test)',
  ],
];

for (const [name, failures, accepted, line] of refusals)
  test(name, () =>
    assert.deepEqual(
      causesOfFailures(failures, areaIds, accepted).map((cause) => causeLine(cause)),
      [line],
    ),
  );

test('a test that met the refusal is the example of its cause; without one, the first refusal gives the body', () => {
  const met = refusedBy('ACCESS_TOKEN', each('a', 'block', 401, { verdict: 'refused' }));
  const [first] = causesOfFailures([notTried('b'), ...met]);
  const [alone] = causesOfFailures([notTried('b')]);
  assert.deepEqual([first?.example.title, first?.body, alone?.body], ['a', '{"status":500}', '{"status":500}']);
});

test('the body of an error stands with its cause, and no other body does', () => {
  const [content, error] = causesOfFailures([
    ...each('a', 'love', 500),
    ...each('b', 'block', 200, { observed: 'it is empty' }),
  ]);
  assert.deepEqual([error?.body, content?.body], ['{"status":500}', undefined]);
});
