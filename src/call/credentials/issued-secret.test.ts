import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { type Issued, IssuedSecret, NotIssued } from './issued-secret.ts';

const HOUR = 3_600_000;

/** An issuer that numbers its credentials, with a clock that the test moves. */
function setUp(lifeMs: number | undefined = HOUR) {
  const at = { now: 1_000_000, asked: 0, isDown: false };
  const issue = async (): Promise<Issued> => {
    at.asked++;
    await Promise.resolve();
    if (at.isDown) throw new NotIssued('down');
    return { value: `token-${at.asked}-of-many`, ...(lifeMs === undefined ? {} : { expiresAt: at.now + lifeMs }) };
  };
  return { at, secret: new IssuedSecret(issue, () => at.now) };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a credential is issued once for all who wait, and shows as ***', async () => {
  const { at, secret } = setUp();
  const all = await Promise.all([secret.fresh(), secret.fresh(), secret.fresh()]);
  assert.equal(new Set(all).size, 1);
  assert.equal(at.asked, 1);
  assert.equal(`${secret} ${inspect(secret)} ${JSON.stringify(secret)}`, '*** *** "***"');
});

test('it is renewed beside the calls before it expires, and waited for afterwards', async () => {
  const { at, secret } = setUp();
  const first = await secret.fresh();
  at.now += HOUR - 61_000;
  assert.equal(await secret.fresh(), first);
  await settled();
  assert.equal(at.asked, 1, 'not within its margin yet');
  at.now += 2_000;
  assert.equal(await secret.fresh(), first, 'nobody waits');
  await settled();
  assert.notEqual(await secret.fresh(), first);
  at.now += 2 * HOUR;
  assert.equal((await secret.fresh()).reveal(), 'token-3-of-many');
});

test('an issuer that is down is no matter while the credential lives, and is not asked at every call', async () => {
  const { at, secret } = setUp();
  const first = await secret.fresh();
  at.isDown = true;
  at.now += HOUR - 30_000;
  for (let call = 0; call < 5; call++) {
    assert.equal(await secret.fresh(), first);
    await settled();
  }
  assert.equal(at.asked, 2);
  at.now += 31_000;
  for (let call = 0; call < 5; call++) await assert.rejects(secret.fresh(), NotIssued);
  assert.equal(at.asked, 3);
  at.isDown = false;
  await assert.rejects(secret.fresh(), NotIssued);
  at.now += 60_000;
  assert.equal((await secret.fresh()).reveal(), 'token-4-of-many');
});

test('one that was refused is replaced once, unless another took its place already', async () => {
  const { at, secret } = setUp(undefined);
  const first = await secret.fresh();
  secret.accepted(first);
  const second = await secret.insteadOf(first);
  assert.equal(second?.reveal(), 'token-2-of-many');
  assert.equal(await secret.insteadOf(first), second, 'it was replaced meanwhile');
  assert.ok(second);
  assert.equal(await secret.insteadOf(second), undefined, 'it was never accepted: it is refused');
  at.now += 30_000;
  assert.equal((await secret.insteadOf(second))?.reveal(), 'token-3-of-many');
});

test('one that was refused while the issuer is down is not sent again', async () => {
  const { at, secret } = setUp();
  const first = await secret.fresh();
  secret.accepted(first);
  at.isDown = true;
  await assert.rejects(secret.insteadOf(first), NotIssued);
  await assert.rejects(secret.fresh(), NotIssued);
  at.isDown = false;
  at.now += 60_000;
  assert.equal((await secret.fresh()).reveal(), 'token-3-of-many');
});

test('the same credential again is none other', async () => {
  const secret = new IssuedSecret(async () => ({ value: 'always-the-same' }));
  const first = await secret.fresh();
  secret.accepted(first);
  assert.equal(await secret.insteadOf(first), undefined);
});

test('one that is over when it is issued is asked for once a second at most', async () => {
  const { at, secret } = setUp(-HOUR);
  await secret.fresh();
  await secret.fresh();
  assert.equal(at.asked, 1);
  at.now += 1_000;
  await secret.fresh();
  assert.equal(at.asked, 2);
});
