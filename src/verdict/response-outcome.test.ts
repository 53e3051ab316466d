import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionFailure } from '../http/connection-failure.ts';
import type { Exchange, HttpResponse } from '../http/exchange.ts';
import { fakeExchange, fakeResponse, fakeText } from '../testing/contract/fake-response.ts';
import { categoryTitles } from './category.ts';
import { ExpectationError } from './expectation-error.ts';
import { ACCEPTS, type Expected, mishandling, outcomeOf } from './response-outcome.ts';
import type { SuccessRule } from './service-under-test.ts';
import { verdicts } from './verdicts.ts';

const jsonType = { 'content-type': 'application/json; charset=utf-8' };

/** An exchange of the operation `block` with a JSON response. */
const answered = (status: number, json: unknown = {}, headers: Readonly<Record<string, string>> = jsonType) =>
  fakeExchange({ operation: 'block', response: fakeResponse(status, json, headers) });
const emptily = (status: number, operation: Exchange['operation'] = 'block') =>
  fakeExchange({ operation, response: fakeResponse(status, undefined, {}) });
const saysWhen = (status: number, when: string) => answered(status, {}, { ...jsonType, 'Retry-After': when });
const failed = (side: ConnectionFailure['side']) =>
  fakeExchange({ failure: { phase: 'tls', side, code: 'X', reason: 'so it is' } });
const noJson = fakeExchange({ operation: 'block', response: fakeText(200, '<', jsonType) });
const asText = answered(200, {}, { 'content-type': 'text/plain' });
const page = fakeExchange({ operation: 'block', response: fakeText(200, '<!doctype html>', jsonType) });
const tracing = answered(400, { stack: 'E\n    at file:///srv/a.js:12:7' });
const html = (status: number, title: string, headers = {}) =>
  fakeText(status, `<html><head><title>${title}</title></head></html>`, { 'content-type': 'text/html', ...headers });
const redirect = answered(302, {}, { location: '/away' });
const rule: SuccessRule = { pointer: '/code', value: 0, text: '/code=0' };

type Row = readonly [
  name: string,
  exchange: Exchange,
  outcome: Expected,
  expected: undefined | readonly [verdict: string, observed: RegExp],
  rule?: SuccessRule,
];

const rows: readonly Row[] = [
  ['200 with JSON', answered(200), 'success', undefined],
  ['201 with nothing, for a change', emptily(201), 'success', undefined],
  ['200 with nothing, for a read', emptily(200, 'listBlocked'), 'success', ['failed', /no body/]],
  ['204 for a list without entries', emptily(204, 'listBlocked'), 'success', undefined],
  ['204 for another read', emptily(204, 'reportOptions'), 'success', ['failed', /no body/]],
  ['204 that should show a value', emptily(204, 'listBlocked'), 'success', ['failed', /\/code is absent/], rule],
  ['200 that is no JSON', noJson, 'success', ['failed', /not valid JSON/]],
  ['JSON called text', asText, 'success', ['failed', /type is text\/plain/]],
  ['a page', page, 'success', ['failed', /HTML, not JSON: a login page/]],
  ['200 without a content type', answered(200, {}, {}), 'success', undefined],
  ['a redirect', redirect, 'success', ['failed', /to \/away \(redirects/]],
  ['304, which leads nowhere', answered(304), 'success', ['failed', /^304$/]],
  ['404', answered(404), 'success', ['failed', /^404/]],
  ['401 where success belongs', answered(401), 'success', ['refused', /^401/]],
  ['403 where success belongs', answered(403), 'success', ['refused', /^403/]],
  ['401 where a refusal belongs', answered(401), 'refusal', undefined],
  ['200 where a refusal belongs', answered(200), 'refusal', ['failed', /it was accepted/]],
  [
    '200 that is no JSON, where a refusal belongs',
    noJson,
    'refusal',
    ['failed', /^200, but the body is not valid JSON$/],
  ],
  ['200 that is no JSON, for either', noJson, 'decided', ['failed', /^200, but the body is not valid JSON$/]],
  ['a redirect, for either', redirect, 'decided', ['failed', /^302, to \/away \(redirects are not followed\)$/]],
  ['500 where a refusal belongs', answered(500), 'refusal', ['failed', /^500/]],
  ['404 at clean-up', answered(404), 'settled', undefined],
  ['200 that is no JSON, at clean-up', noJson, 'settled', undefined],
  ['a stack trace for invalid input', tracing, 'handled', ['failed', /^400, and the response shows a stack trace$/]],
  ['500 at clean-up', answered(500), 'settled', ['failed', /^500/]],
  ['503 that says when', saysWhen(503, '7'), 'success', ['failed', /^503, retry after 7 s$/]],
  ['429', answered(429), 'success', ['unknown', /throttled$/]],
  ['429 where a refusal belongs', saysWhen(429, 'Fri, 20 Nov'), 'refusal', ['unknown', /retry after Fri, 20 Nov/]],
  ['no answer, theirs', failed('service'), 'success', ['unreachable', /in tls: so it is/]],
  ['no answer, ours', failed('ours'), 'settled', ['unknown', /in tls: so it is/]],
  ['the rule is met', answered(200, { code: 0 }), 'success', undefined, rule],
  ['the rule is not met', answered(200, { code: 7 }), 'success', ['failed', /\/code is 7/], rule],
  ['the rule meets a list', answered(200, { code: [[]] }), 'success', ['failed', /\/code is a list/], rule],
  ['the rule finds nothing', emptily(200), 'success', ['failed', /\/code is absent/], rule],
  ['the rule says a refusal', answered(200, { code: 7 }), 'refusal', undefined, rule],
];

test('an exchange is decided once', () => {
  const exchange = answered(200);
  assert.equal(outcomeOf(exchange, rule), outcomeOf(exchange, rule));
  assert.equal(outcomeOf(exchange, undefined).isAccepted, true);
});

for (const [name, given, outcome, expected, successWhen] of rows)
  test(`${name}: ${expected?.[0] ?? 'as expected'}`, () => {
    const shortfall = outcomeOf(given, successWhen).shortfall(outcome);
    assert.equal(shortfall?.verdict, expected?.[0]);
    if (expected) assert.match(shortfall?.observed ?? '', expected[1]);
  });

/** Each row: a response, and the words that say who sent it in place of the service; `undefined` if the service itself may have sent it. */
const doors: readonly (readonly [name: string, response: HttpResponse, says: RegExp | undefined])[] = [
  [
    'a challenge of Cloudflare',
    html(403, 'Just a moment...', { 'cf-mitigated': 'challenge' }),
    /^Cloudflare asks for a challenge/,
  ],
  ['an old challenge of Cloudflare', html(503, 'Just a moment...'), /^Cloudflare asks for a challenge/],
  [
    'a captcha with 405',
    html(405, 'Human?', { 'x-amzn-waf-action': 'captcha' }),
    /^the firewall AWS WAF asks for a challenge/,
  ],
  ['a challenge with 202', html(202, '', { 'X-Amzn-Waf-Action': 'challenge' }), /AWS WAF asks for a challenge/],
  ['a page of Cloudflare', html(403, 'Attention Required! | Cloudflare'), /^Cloudflare in front/],
  [
    'a page of a firewall, with 200',
    html(200, 'The requested URL was rejected. Please consult with your administrator.'),
    /F5 BIG-IP in front/,
  ],
  [
    'a proxy that wants Basic',
    html(401, '', { 'WWW-Authenticate': 'Basic realm="staging"' }),
    /^a proxy in front of the service asks for Basic/,
  ],
  ['Basic or Bearer', html(401, '', { 'WWW-Authenticate': 'Basic realm="a", Bearer' }), undefined],
  ['Bearer', html(401, '', { 'WWW-Authenticate': 'Bearer realm="Basic"' }), undefined],
  [
    'rules of Envoy',
    fakeText(403, 'RBAC: access denied', { 'content-type': 'text/plain' }),
    /^an Envoy proxy \(RBAC\) in front/,
  ],
  ['the same words in JSON', fakeResponse(403, 'RBAC: access denied'), undefined],
  ['421', html(421, ''), /isn’t responsible for this host name/],
  ['HTTP/2 alone', fakeText(403, 'Unknown ALPN Protocol, expected `h2` to be available.'), /speaks only HTTP\/2/],
  ['a service that is down behind Squid', html(503, '', { 'x-squid-error': 'ERR_CONNECT_FAIL 111' }), undefined],
  ['a page, passed through', html(403, '403 Forbidden', { server: 'cloudflare', 'cf-ray': '8f0-FRA' }), undefined],
  ['a text', fakeText(401, 'Unauthorized', { 'content-type': 'text/plain' }), undefined],
];

for (const [name, response, says] of doors)
  test(`who answered: ${name}: ${says?.source ?? 'the service'}`, () => {
    const given = fakeExchange({ response });
    const { verdict, sentence } = outcomeOf(given, undefined).shortfall('success') ?? {};
    const isChallenge = says?.source.includes('challenge') === true;
    assert.match(sentence ?? '', says ?? /^$/);
    assert.equal(verdict, isChallenge ? 'unknown' : response.status < 500 ? 'refused' : 'failed');
    // If the test expects a refusal, a gateway may refuse on behalf of the service. A challenge isn't a refusal, so the verdict is
    // `unknown`.
    if (response.status < 500 && response.status >= 400)
      assert.equal(outcomeOf(given, undefined).shortfall('refusal')?.verdict, isChallenge ? 'unknown' : undefined);
  });

const endings: readonly (readonly [name: string, exchange: Exchange, outcome: Expected, ending: string])[] = [
  ['an error', answered(503, {}, { 'Retry-After': '7' }), 'success', 'answers 503'],
  ['a refusal', answered(404), 'success', 'answers 404'],
  ['an acceptance', answered(200), 'refusal', ACCEPTS],
  ['a success that is none', noJson, 'success', 'answers 200, but the body is not valid JSON'],
  ['a throttled call', saysWhen(429, '7'), 'success', 'answers 429'],
];

for (const [name, given, outcome, ending] of endings)
  test(`how ${name} ends, in words that each such call has in common`, () => {
    assert.equal(outcomeOf(given, undefined).shortfall(outcome)?.ending, ending);
  });

test('what falls short of invalid input says that the input was invalid', () => {
  assert.deepEqual(
    (['handled', 'settled'] as const).map(
      (outcome) => outcomeOf(answered(500), undefined).shortfall(outcome)?.isInvalid,
    ),
    [true, undefined],
  );
});

const claimed = 'documented: so it is';
const claims: readonly (readonly [name: string, status: number, outcome: Expected, claim: string])[] = [
  ['what a spec claims stands in place of common sense', 404, 'success', claimed],
  ['what is accepted breaks the claim of a rejection', 200, 'refusal', claimed],
  ['a server error is no broken claim', 503, 'success', 'assumed: expected anything but a server error (5xx)'],
  [
    'a server error is no broken claim of a rejection',
    503,
    'refusal',
    'assumed: expected anything but a server error (5xx)',
  ],
  ['throttling says nothing of a claim', 429, 'success', 'assumed: expected a decision on the request'],
  ['a refused credential is no broken claim', 401, 'success', 'assumed: expected success (2xx)'],
  ['a claim that asks for no server error is broken by one', 503, 'settled', claimed],
];

for (const [name, status, outcome, claim] of claims)
  test(name, () => assert.equal(outcomeOf(answered(status), undefined).shortfall(outcome, claimed)?.claim, claim));

test('without a claim, common sense is what was expected', () => {
  assert.match(outcomeOf(answered(404), undefined).shortfall('success')?.claim ?? '', /^assumed: expected success/);
});

interface Shown {
  readonly status?: number;
  readonly type?: string;
  readonly echoedSecret?: true;
}

const handled: [name: string, text: string, reported: RegExp | undefined, shown?: Shown][] = [
  ['no body', '', undefined],
  ['no body that says it is JSON', '', undefined, { type: 'application/json' }],
  ['no body of a success', '', undefined, { status: 204 }],
  ['a plain refusal', '{"error":{"code":"invalid_body","message":"friendId: must be string at /friendId"}}', undefined],
  ['a place in the body', '{"at":"/items/0","line":12}', undefined],
  ['a page', '<html>Bad Request</html>', undefined, { type: 'text/html' }],
  ['a text', 'Bad Request', undefined, { type: 'text/plain; charset=utf-8' }],
  ['a text of no type', 'Bad Request', undefined],
  ['a page that says it is JSON', '<html>Bad Request</html>', /not valid JSON/, { type: 'application/json' }],
  ['a page that says it is a problem', '<html>Bad', /not valid JSON/, { type: 'application/problem+json' }],
  ['a text in place of a success', 'OK', /not valid JSON/, { status: 200, type: 'text/plain' }],
  ['a trace in a text', 'TypeError: x\n    at block (/srv/a.js:12:7)', /stack trace/, { type: 'text/plain' }],
  ['JavaScript', JSON.stringify({ stack: 'TypeError: x\n    at block (/srv/a.js:12:7)' }), /stack trace/],
  ['JavaScript, nameless', JSON.stringify({ stack: 'E\n    at file:///srv/a.js:12:7' }), /stack trace/],
  ['Java', JSON.stringify({ trace: 'NPE\n\tat org.flags.Evaluate.run(Evaluate.java:42)' }), /stack trace/],
  ['Python', JSON.stringify('Traceback (most recent call last):\n  File "a.py", line 3'), /stack trace/],
  ['.NET', JSON.stringify('   at App.Block.Run(String id) in C:\\a\\Block.cs:line 9'), /stack trace/],
  ['PHP', JSON.stringify('#0 /srv/index.php(12): run()'), /stack trace/],
  ['a credential', '{"token":"***"}', /credential/, { echoedSecret: true }],
];

for (const [name, text, reported, { status = 400, type, echoedSecret } = {}] of handled) {
  test(`mishandling: ${name}`, () => {
    const response = fakeText(status, text, type ? { 'content-type': type } : {});
    const found = mishandling(echoedSecret ? { echoedSecret } : {}, response);
    if (reported) assert.match(found ?? '', reported);
    else assert.equal(found, undefined);
  });
}

const unanswered = (phase: ConnectionFailure['phase']) =>
  fakeExchange({ failure: { phase, side: 'service', code: 'X', reason: 'so it is' } });
const outcomes: [name: string, exchange: Exchange, noEffect: boolean, nothing: boolean][] = [
  ['200', answered(200), false, false],
  ['302', answered(302), false, false],
  ['400', answered(400), true, false],
  ['401', answered(401), true, false],
  ['404', answered(404), true, true],
  ['408', answered(408), false, false],
  ['409', answered(409), true, true],
  ['410', answered(410), true, true],
  ['500', answered(500), false, false],
  ['no address', unanswered('dns'), true, false],
  ['no connection', unanswered('connect'), true, false],
  ['no handshake', unanswered('tls'), true, false],
  ['no answer', unanswered('processing'), false, false],
  ['half an answer', unanswered('transfer'), false, false],
];

const bodies: [body: unknown, noEffect: boolean][] = [
  [{ code: 0 }, false],
  [{ code: 3002 }, true],
  [{ message: 'done' }, false],
  ['done', false],
];
for (const [value, noEffect] of bodies) {
  test(`200 ${JSON.stringify(value)} next to SUCCESS_WHEN: the change was certainly not made: ${noEffect}`, () => {
    const exchange = answered(200, value);
    const effects = [rule, undefined].map((each) => outcomeOf(exchange, each).hadNoEffect);
    assert.deepEqual(effects, [noEffect, false]);
  });
}

for (const [name, exchange, noEffect, nothing] of outcomes) {
  test(`${name}: the change was certainly not made: ${noEffect}; the undo found nothing: ${nothing}`, () => {
    const { hadNoEffect, foundNothing } = outcomeOf(exchange, undefined);
    assert.deepEqual([hadNoEffect, foundNothing], [noEffect, nothing]);
  });
}

test('exit code, health and category agree', () => {
  const titled = new Set<string>(categoryTitles().map(({ category }) => category));
  for (const [name, { exitCode, health, ran, detects }] of Object.entries(verdicts)) {
    assert.equal(exitCode === 3, health === 'unknown', `${name}: exit 3 is a service about which nothing is known`);
    if (health === 'down') assert.equal(exitCode, 1, name);
    if (exitCode === 1) assert.ok(titled.has(name) && detects, `${name}: what falls short is red in the report`);
    if (!ran) assert.equal(exitCode, 3, `${name}: what did not run proves nothing`);
  }
});

test('a failure shows what broke: its sentence where it has one, else claim and observation', () => {
  const brokenBy = (sentence?: string) => {
    const shortfall = { verdict: 'failed', claim: 'documented: it is kept', observed: '/loves is 1' } as const;
    return new ExpectationError(answered(200), { ...shortfall, ...(sentence ? { sentence } : {}) }).message.split(
      '\n',
    )[1];
  };
  assert.equal(brokenBy(), '  documented: it is kept — /loves is 1');
  assert.equal(brokenBy('The view is empty'), '  documented: The view is empty (/loves is 1)');
});
