import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { fakeNotice } from '../../../testing/monitor/fakes.ts';
import { email } from './email.ts';

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

async function mailServer(t: TestContext, options: SMTPServerOptions = {}): Promise<{ url: string; mails: Mail[] }> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onData: async (stream, { envelope }, done) => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: await textOf(stream) });
      done();
    },
    ...options,
  });
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { url: `smtp://user:swordfish@127.0.0.1:${(listener.address() as AddressInfo).port}`, mails };
}

const sending = (ms = 120_000) => ({ key: 'key-1', signal: AbortSignal.timeout(ms), now: Date.now() });
const people = { EMAIL_FROM: 'sextant@your.test', EMAIL_TO: 'a@your.test, b@your.test' };

test('an e-mail with the whole notice and a unique Message-ID', async (t) => {
  const { url, mails } = await mailServer(t, { onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
  await email.open({ SMTP_URL: url, ...people })(fakeNotice('down'), sending());
  const [mail] = mails;
  assert.deepEqual([mail?.from, mail?.to], ['sextant@your.test', ['a@your.test', 'b@your.test']]);
  const text = (mail?.text ?? '').replace(/=\r\n/g, '');
  for (const part of [
    /^Subject: staging: http:\/\/friends\.test\/ down/m,
    /^Message-ID: <key-1@sextant>/m,
    /^In-Reply-To: <i-1@sextant>/m,
    /^Auto-Submitted: auto-generated/m,
    /the list mentions <b> & more/,
    /curl -sS/,
  ])
    assert.match(text, part);
});

test('a server that rejects or stays silent: the failure contains neither password nor address', async (t) => {
  const refusing = await mailServer(t, {
    onAuth: (_auth, _session, done) => done(new Error('swordfish is the wrong password')),
  });
  const busy = await mailServer(t, {
    onAuth: (_auth, _session, done) => done(null, { user: 'user' }),
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('try later, swordfish'), { responseCode: 451 })),
  });
  for (const [url, pattern] of [
    [refusing.url, /EAUTH 535/],
    [busy.url, /451/],
    ['smtp://user:swordfish@127.0.0.1:1', /ECONNREFUSED|ESOCKET|ECONNECTION/],
  ] as const)
    await assert.rejects(
      email.open({ SMTP_URL: url, ...people })(fakeNotice('down'), sending()),
      ({ message }: Error) => {
        assert.match(message, pattern);
        assert.doesNotMatch(message, /swordfish/);
        return true;
      },
    );
});
