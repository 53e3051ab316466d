import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NodeTransport } from '../http/node-transport.ts';
import { Redactor } from '../redaction/redactor.ts';
import { operation } from '../service/index.ts';
import { rawResponse, startRawServer } from '../testing/servers/raw-server.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { Unmatched } from '../verdict/expectation-error.ts';
import { silent } from '../verdict/observer.ts';
import { SpecMistake } from '../verdict/spec-mistake.ts';
import { SuiteFault } from '../verdict/suite-error.ts';
import { areaClient } from './area-client.ts';
import { NotAllowed } from './effects.ts';
import { Ledger } from './ledger.ts';
import type { Next, OutgoingCall, Stage } from './middleware/stages.ts';
import { inside } from './response.ts';
import { Session, type SessionContext } from './session.ts';

const transport = new NodeTransport();
const server = await startRawServer({ onRequest: (socket) => void socket.write(rawResponse('200 OK', '{}')) });
/** The clock of the test in ms: each read of `slow` takes ten seconds. */
let readMs = 0;
/** A list that shows a user from the second read on. */
const slow = await startRawServer({
  onRequest: (socket) => {
    readMs += 10_000;
    socket.write(rawResponse('200 OK', JSON.stringify(slow.requests.length > 1 ? ['ben'] : [])));
  },
});
after(async () => {
  transport.close();
  await Promise.all([server.stop(), slow.stop()]);
});

function sessionFor(rest: Partial<SessionContext> = {}): Session {
  const target = testEnvironment(`http://127.0.0.1:${server.port}`);
  const context = {
    target,
    redactor: new Redactor(target.secrets),
    ledger: new Ledger(),
    observer: silent,
    transport: async () => transport,
    correlation: () => ({ 'user-agent': 'sextant/test' }),
    ...rest,
  };
  return new Session(context, target.caller);
}

test('no socket is opened for an effect beyond the tag, nor for what a stage makes graver than is allowed', async () => {
  const block = operation('block');
  const graver: Stage = (call) => ({ instead: { ...call, operation: block } });
  const stages = { allowed: [graver], recorded: [], sent: [] };
  const target = { ...testEnvironment(`http://127.0.0.1:${server.port}`), allowedEffects: new Set(['read'] as const) };
  const reading = sessionFor({ declared: 'read', target, stages });
  await assert.rejects(reading.exchange(operation('listBlocked'), { n1: '0', n2: '1' }, new Map()), NotAllowed);
  await assert.rejects(reading.exchange(block, { friendId: 'ben' }, new Map()), SpecMistake);
  assert.equal(server.requests.length, 0);
});

test('a request is allowed, recorded and sent, in this order, and each hears what came of it', async () => {
  const heard: string[] = [];
  const stage =
    (name: string): Stage =>
    () => {
      heard.push(name);
      return { ended: (exchange, error) => heard.push(`${name}: ${exchange?.response?.status ?? error}`) };
    };
  const stages = {
    allowed: [stage('allowed')],
    recorded: [stage('recorded')],
    sent: [
      async (call: OutgoingCall, next: Next) => {
        heard.push('sent');
        return next(call);
      },
    ],
  };
  await sessionFor({ stages }).exchange(operation('listBlocked'), { n1: '0', n2: '1' }, new Map());
  assert.deepEqual(heard.splice(0), ['allowed', 'recorded', 'sent', 'recorded: 200', 'allowed: 200']);
  const refused: Stage = () => {
    throw new SuiteFault('not this one');
  };
  const session = sessionFor({ stages: { ...stages, recorded: [stage('recorded'), refused] } });
  await assert.rejects(session.exchange(operation('listBlocked'), { n1: '0', n2: '1' }, new Map()), SuiteFault);
  assert.deepEqual(heard, ['allowed', 'recorded', 'recorded: Error: not this one', 'allowed: Error: not this one']);
});

test('a mistake in the arguments is said before a stage reads or records anything for them', async () => {
  const stage = () => assert.fail('it got as far as the stages');
  const session = sessionFor({ stages: { allowed: [stage], recorded: [], sent: [] } });
  for (const [id, args] of [
    ['updateProfile', { name: 'Ada' }],
    ['block', undefined],
    ['listBlocked', { n1: '0' }],
    ['deleteItem', { id: '.' }],
    ['deleteItem', { id: '..' }],
  ] as const)
    await assert.rejects(session.exchange(operation(id), args, new Map()), SpecMistake);
});

test('a list that takes longer to read than it may lag is read again before it is called wrong', async (t) => {
  const began = performance.now();
  t.mock.method(performance, 'now', () => began + readMs);
  const target = { ...testEnvironment(`http://127.0.0.1:${slow.port}`), consistencyTimeoutMs: 5_000 };
  const friends = areaClient(sessionFor({ target }), 'friends');
  await friends.listBlocked().eventually((list) => {
    const { exchange } = inside(list);
    if (!inside(list).mentions('ben'))
      throw new Unmatched(exchange, 'documented: it is there', '"ben" not found', 'ben', false);
  });
  assert.equal(slow.requests.length, 2);
});

test('a call that ends in nothing, and one that is not awaited, are named with the line they stand on', async () => {
  const session = sessionFor();
  const friends = areaClient(session, 'friends');
  friends.block({ friendId: 'f' });
  const pending = friends.listBlocked().succeeds();
  const nothing = 'block has no expectation, so it proves nothing; end it with';
  const notAwaited = 'listBlocked was not awaited, so it proves nothing; write await';
  const at = 'session\\.test\\.ts:\\d+: ';
  const expected = new RegExp(`2 calls prove nothing:[^]*${at}${nothing}[^]*${at}${notAwaited}`);
  assert.match(`${session.context.ledger.unjudged()}`, expected);
  await pending;
  assert.equal(session.context.ledger.unjudged(), undefined);
});
