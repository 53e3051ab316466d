import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { areaIds, operation } from '../../spec/index.ts';
import { NodeTransport } from '../http/node-transport.ts';
import { NotAllowed } from '../middleware/effect-guard.ts';
import type { Middleware } from '../middleware/middleware.ts';
import { SpecMistake } from '../mistakes/spec-mistake.ts';
import { silent } from '../observer/observer.ts';
import { Redactor } from '../redaction/redactor.ts';
import { Secret } from '../redaction/secret.ts';
import { rawText } from '../requests/raw-body.ts';
import type { ServiceUnderTest } from '../target/target.ts';
import { areaClient } from './area-client.ts';
import { Ledger } from './ledger.ts';
import { Session, type SessionContext } from './session.ts';

const token = new Secret('canary-token-0123456789');
const servers: Server[] = [];
const transport = new NodeTransport();
after(() => {
  transport.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

type Heard = IncomingMessage['headers'] & { readonly body: string };

/** A server that remembers what it heard and answers as `answer` says. */
async function listening(answer: (response: ServerResponse) => void): Promise<{ url: URL; heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    heard.push({ ...incoming.headers, body });
    answer(response);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), heard };
}

function sessionFor(
  url: URL,
  allowed: ServiceUnderTest['allowedEffects'] = new Set(['read', 'reversible']),
  rest: Partial<SessionContext> = {},
): Session {
  const target: ServiceUnderTest = {
    name: 'test',
    addresses: Object.fromEntries(areaIds.map((area) => [area, url])) as ServiceUnderTest['addresses'],
    allowedEffects: allowed,
    requestTimeoutMs: 5_000,
    consistencyTimeoutMs: 1_000,
    slowAfterMs: 1_000,
    maxAnswerBytes: 5_000_000,
    blockListSegments: { n1: '0', n2: '100' },
  };
  const app = { 'app-bundle': 'b', 'app-ver': '1', 'app-platform': 'p', 'app-lang': 'en', 'app-env': 'e' };
  const redactor = new Redactor([token]);
  const context = {
    target,
    redactor,
    ledger: new Ledger(),
    observer: silent,
    transport: async () => transport,
    correlation: () => ({ 'user-agent': 'sextant/test' }),
    ...rest,
  };
  return new Session(context, { clientId: 'client', userId: 'user', accessToken: token, app });
}

const ok = (response: ServerResponse) => response.setHeader('content-type', 'application/json').end('{}');
const none = new Map<string, string | undefined>();

test('an effect that is not allowed opens no socket', async () => {
  const { url, heard } = await listening(ok);
  const friends = areaClient(sessionFor(url, new Set(['read'])), 'friends');
  await assert.rejects(friends.block({ friendId: 'f' }).succeeds(), NotAllowed);
  await friends.listBlocked().succeeds();
  assert.equal(heard.length, 1);
});

test('an effect beyond the tag opens no socket, not even where a middleware sends something graver', async () => {
  const { url, heard } = await listening(ok);
  const graver: Middleware = (call, next) => next({ ...call, operation: operation('block') });
  const session = sessionFor(url, undefined, { declared: 'read', middleware: [graver] });
  await assert.rejects(session.exchange(operation('listBlocked'), { n1: '0', n2: '1' }, none), SpecMistake);
  assert.equal(heard.length, 0);
});

test('a body can be sent without a content type', async () => {
  const { url, heard } = await listening(ok);
  await sessionFor(url).exchange(operation('block'), rawText('{"friendId":"f"}', null), none);
  assert.equal(heard[0]?.['content-type'], undefined);
  assert.equal(heard[0]?.body, '{"friendId":"f"}');
});

test('a call that ends in nothing, and one that is not awaited, are named with the line they stand on', async () => {
  const { url } = await listening(ok);
  const session = sessionFor(url);
  const friends = areaClient(session, 'friends');
  friends.block({ friendId: 'f' });
  const pending = friends.listBlocked().succeeds();
  const nothing = 'block: it has no expectation, so it proves nothing; end it with';
  const notAwaited = 'listBlocked: its expectation was not awaited, so it proves nothing; write await';
  const at = 'session\\.test\\.ts:\\d+: ';
  assert.throws(
    () => session.context.ledger.verify(),
    new RegExp(`2 calls prove nothing:[^]*${at}${nothing}[^]*${at}${notAwaited}`),
  );
  await pending;
  session.context.ledger.verify();
});
