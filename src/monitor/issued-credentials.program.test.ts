import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startService } from '../../reference-service/index.ts';
import { findLeaks, findSecretsInFolder } from '../testing/find-leaks.ts';
import { runMonitor, titled, until } from '../testing/monitor/watched-service.ts';
import { startProberBench } from '../testing/programs/prober-bench.ts';
import { CLIENT_SECRET, issuedText, startIssuer } from '../testing/servers/issuer.ts';
import { loadText } from '../testing/test-environment.ts';

const EXPIRIES = 40;
/** A token that expires in an hour, and that nothing renews. */
const endingToken = ['{}', JSON.stringify({ exp: Math.round(Date.now() / 1000) + 3_600 }), 'x']
  .map((text) => Buffer.from(text).toString('base64url'))
  .join('.');
const chosen = await titled(['love, then unlove']);

async function issuing(t: TestContext) {
  const service = await startService({ port: 0, quiet: true });
  const issuer = await startIssuer(service);
  // At the end of the test, the functions in `callers` first stop everything that uses the service and the issuer.
  const callers: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    for (const end of callers) await end();
    await issuer.stop();
    await service.stop();
  });
  const secrets = () => ({ secret: CLIENT_SECRET, first: issuer.issued[0] ?? '', last: issuer.issued.at(-1) ?? '' });
  return { issuer, secrets, callers };
}

test(`a monitor through ${EXPIRIES} ends of its token: no flip, no notice, and no token anywhere; an issuer that is down is a notice of its own, which blames nothing else, and one when it is back`, async (t) => {
  const { issuer, secrets, callers } = await issuing(t);
  const environment = loadText('living', issuedText(issuer, { FRIEND_ACCESS_TOKEN: endingToken }));
  const rule = { downAfter: 1, upAfter: 1, remindAfterMs: 3_600_000, gatherMs: 0, notJudgedAfterMs: 300 };
  const { path, people, said, text, end } = await runMonitor([environment], chosen, { everyMs: 20, rule });
  callers.push(end);
  for (let expiry = 1; expiry <= EXPIRIES; expiry++) {
    // Wait until the monitor has used the new token. If the token expired before its first use, the monitor would take it for a wrong one,
    // and would not replace it at once.
    await until(() => issuer.used.size >= expiry);
    issuer.expire();
  }
  await until(() => issuer.used.size > EXPIRIES);
  await until(async () => /sextant_scenario_state\{[^}]*state="up"\} 1/.test(await text('/metrics')));
  const metrics = await text('/metrics');
  assert.match(
    metrics,
    /sextant_credential_expiry_\w+\{environment="living",credential="ACCESS_TOKEN",renewed="true"\} \d{10}/,
  );
  const runs = [...metrics.matchAll(/^sextant_runs_total\{[^}]*verdict="(\w+)"[^}]*\} (\d+)$/gm)];
  assert.deepEqual([...new Set(runs.map(([, verdict]) => verdict))], ['passed']);
  assert.deepEqual([people.received.length, said], [1, []], 'of the token alone that nothing renews');
  assert.ok(issuer.asked.length <= EXPIRIES + 2, String(issuer.asked.length));
  const shown = [metrics, await text('/'), await text('/status.json'), await text(`/scenario/living/love-then-unlove`)];
  assert.deepEqual(findLeaks(Buffer.from(shown.join('\n')), secrets(), 'the page'), []);

  issuer.answer = (_, response) => response.writeHead(503).end();
  issuer.expire();
  await people.until(2);
  issuer.answer = undefined;
  await people.until(3);
  const [expiring, down, up] = people.received.map(({ body }) => JSON.parse(body));
  assert.match(expiring.headline, /^living: FRIEND_ACCESS_TOKEN expires at .* UTC, and nothing renews it; set FRIEND_/);
  assert.match(
    down.headline,
    /^living: "love, then unlove" can't be judged in Stories: the suite could not judge: ACCESS_TOKEN was not issued: http.*\/token answered 503, without a token \(TOKEN_URL\)$/,
  );
  assert.deepEqual([down.kind, down.cause.kind, up.kind, up.incident], ['down', 'unjudged', 'up', down.incident]);
  assert.match(up.headline, /can be judged again/);
  for (const { body } of people.received) assert.deepEqual(findLeaks(Buffer.from(body), secrets(), 'a notice'), []);
  assert.deepEqual(findSecretsInFolder(path, secrets()), []);
});

test('a prober through ends of its token, and through an issuer that is down', async (t) => {
  const { issuer, secrets, callers } = await issuing(t);
  const bench = await startProberBench([loadText('probed', issuedText(issuer))], chosen);
  callers.push(async () => bench.stop());
  const texts: string[] = [];
  const judged = async () => {
    const answer = await bench.ask('/probe?target=probed&module=love-then-unlove');
    texts.push(answer.text);
    return [answer.metric('probe_success'), answer.metric('sextant_probe_judged')];
  };
  for (let expiry = 0; expiry < 20; expiry++) {
    assert.deepEqual(await judged(), [1, 1]);
    issuer.expire();
  }
  issuer.answer = (_, response) => response.writeHead(503).end();
  assert.deepEqual((await judged())[1], 0);
  const own = await bench.ask('/metrics');
  assert.match(
    own.text,
    /sextant_credential_expiry_timestamp_seconds\{environment="probed",credential="ACCESS_TOKEN",renewed="true"\} 1/,
  );
  assert.deepEqual(findLeaks(Buffer.from([own.text, ...texts, ...bench.said].join('\n')), secrets(), 'the prober'), []);
});
