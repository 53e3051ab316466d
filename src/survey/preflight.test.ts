import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Fault, startService } from '../../reference-service/index.ts';
import { runAll, scenarios } from '../run/index.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { always, surveyOf } from '../testing/survey/surveyed.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { type Preflight, preflight, preflightOf } from './preflight.ts';

const service = await ownService();

function changed(change: Pick<Fault, 'respond'>) {
  service.faults.set({ name: 'x', operation: 'all', ...change });
  return embeddedEnvironment(service);
}

const html = always(200, 'text/html', '<html><body>Sign in</body></html>');
const unauthorised = always(401, 'application/json', '{"error":{}}');

/** The failed scenarios as text, with their verdicts and the operations that they make doubtful. */
const reportedOf = ({ failed }: Preflight) =>
  failed.map((each) => `${each.verdict}: ${JSON.stringify(each)}`).join('\n');
/** Applies `respond` only to requests whose URL matches `path`. */
const answering = (path: RegExp, { respond }: Pick<Fault, 'respond'>): Pick<Fault, 'respond'> => ({
  respond: () => (response, request) =>
    path.test(request.url) ? (respond?.()(response, request) ?? response) : response,
});
const crashed = always(500, 'application/json', '');

/** Enough scenarios to distinguish one failing operation from a failing service. */
const few = /^(block, then list, then unblock|love, then unlove|evaluate a flag with default)$/;

const states: [name: string, change: Pick<Fault, 'respond'>, isUsable: boolean, reported: RegExp][] = [
  ['pages for people', html, false, /^failed: .*but the body is HTML, not JSON: a login page/],
  ['refused credentials', unauthorised, false, /^refused: .*401.*"isContent":false/],
  [
    'one operation that crashes',
    answering(/\/feature$/, crashed),
    true,
    /^failed: .*500.*"operations":\["evaluate"\],"isContent":false/,
  ],
  [
    'a list that is always empty',
    answering(/block\/\d/, always(200, 'application/json', '[]')),
    true,
    /^failed: .*"operations":\["listBlocked"\],"isContent":true/,
  ],
];

for (const [name, change, isUsable, reported] of states) {
  test(`before a survey, ${name}: ${isUsable ? 'something' : 'nothing'} can be learned`, async () => {
    const environment = changed(change);
    const options = { environment: { ...environment, consistencyTimeoutMs: 200 }, seed: '1', runId: randomUUID() };
    const chosen = (await scenarios()).filter(({ title }) => few.test(title));
    assert.equal(chosen.length, 3);
    const found = preflightOf(await runAll(chosen, options));
    assert.equal(found.isUsable, isUsable);
    assert.match(reportedOf(found), reported);
  });
}

test('before a survey, without a service: nothing can be learned', async () => {
  const gone = await startService({ port: 0, quiet: true });
  await gone.stop();
  const { provisionUrl: _, ...environment } = embeddedEnvironment(gone, { requestTimeoutMs: 2_000 });
  const found = await preflight({ environment, seed: '1', runId: randomUUID() });
  assert.equal(found.isUsable, false);
  assert.match(reportedOf(found), /"operations":\["love","unlove","reportOptions","report"\],"isContent":false/);
});

test('what failed is undecided with all that depends on it; the rest is learned, from the first run as well', async () => {
  const environment = changed(answering(/\/love$/, crashed));
  const found = await surveyOf(environment, {
    preflight: await preflight({ environment, seed: '1', runId: randomUUID() }),
    only: (question, id) => ['love', 'unlove', 'report'].includes(id) && /^(success|unknown-story)/.test(question),
  });
  const tried = new Map(
    found.findings.map(({ operation, question, answer, tried }) => [`${operation} ${question}`, tried ?? answer]),
  );
  for (const id of ['love', 'unlove'])
    assert.match(
      tried.get(`${id} success-status`) ?? '',
      /^scenario "(love, then unlove|two users love one story)" failed \(.*500/,
    );
  assert.equal(tried.get('report success-status'), '201');
  const learned = found.observed.map(({ operation }) => operation);
  assert.ok(!learned.includes('love') && !learned.includes('unlove'), learned.join());
  // No question about `saveAvatar` was asked, so its samples come from the scenarios.
  assert.ok(learned.includes('saveAvatar'), learned.join());
});
