import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { fakeNotice, fakeSending } from '../../../testing/monitor/fakes.ts';
import { receiver } from '../../../testing/monitor/receiver.ts';
import { ownFolder } from '../../../testing/own-folder.ts';
import { certificateFor } from '../../../testing/servers/certificate.ts';
import { startForwardProxy } from '../../../testing/servers/forward-proxy.ts';
import { listening } from '../../../testing/servers/listening.ts';
import { loadSettings, type Settings } from '../../settings/load.ts';
import { heartbeat } from '../heartbeat.ts';
import { email } from './email.ts';

/** Starts a mail server, which stops after the tests of this file. */
async function mailServer(options: SMTPServerOptions = {}) {
  const mails: { readonly from: string; readonly to: readonly string[]; readonly text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.secure ? [] : ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === 'swordfish' ? done(null, { user: 'user' }) : done(new Error(`${password} is the wrong password`)),
    onData: async (stream, { envelope }, done) => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: await textOf(stream) });
      done();
    },
    ...options,
  });
  server.on('error', () => {});
  const listener = server.listen(0, 'localhost');
  await once(listener, 'listening');
  after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { at: `localhost:${(listener.address() as AddressInfo).port}`, mails };
}

const people = { EMAIL_FROM: 'sextant@your.test', EMAIL_TO: 'a@your.test, b@your.test' };
const plain = await mailServer();

test('an e-mail with the whole notice and a unique Message-ID', async () => {
  await email.open({ SMTP_URL: `smtp://user:swordfish@${plain.at}`, ...people })(fakeNotice('down'), fakeSending());
  const [mail] = plain.mails;
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

const hesitant = await listening(
  createServer((socket) => {
    const saying = setInterval(() => socket.write('220-one moment\r\n'), 10);
    socket.on('error', () => {}).on('close', () => clearInterval(saying));
  }),
);
const busy = await mailServer({
  onRcptTo: (_address, _session, done) => done(Object.assign(new Error('not now, carp'), { responseCode: 451 })),
});
const secureOf = async (authority?: string) =>
  (await mailServer({ ...certificateFor('localhost', 90, authority), secure: true })).at;
const ENCODE = 'encode @ and # in the password as %40 and %23';
const NOT_TAKEN = 'the mail server did not accept the message (';
const failures: [name: string, address: string, said: string, ms?: number][] = [
  ['a self-signed certificate', `smtps://a:b@${await secureOf()}`, `${NOT_TAKEN}its certificate is self-signed; `],
  ['an unknown authority', `smtps://a:b@${await secureOf('Nobody')}`, 'its certificate is of an unknown authority; '],
  ['a wrong password', `smtp://a:carp@${plain.at}`, `the password in SMTP_URL; ${ENCODE}; EAUTH 535`],
  ['nobody who listens', 'smtp://a:carp@127.0.0.1:1', 'it refuses the connection; '],
  // A URL parser stops at #, so it reads the part of the password after @ as the host.
  [
    'a password with @ and #',
    'smtp://user:p@nobody.invalid#carp@mail.example.com',
    `the host in SMTP_URL, and ${ENCODE}; EDNS`,
  ],
  [
    'another problem',
    `smtp://a:swordfish@${busy.at}`,
    `${NOT_TAKEN}it does not accept EMAIL_FROM or EMAIL_TO; EENVELOPE 451`,
  ],
  ['no end of words', `smtp://a:carp@127.0.0.1:${hesitant.port}`, 'the receiver did not respond in time', 200],
];
for (const [name, SMTP_URL, said, ms] of failures)
  test(`a mail server with ${name} is told in words, with what to do, and without its address or password`, async () => {
    const sent = email.open({ SMTP_URL, ...people })(fakeNotice('down'), fakeSending(ms));
    await assert.rejects(sent, ({ message }: Error) => {
      assert.ok(message.includes(said), message);
      assert.doesNotMatch(message, /carp|swordfish|nobody/);
      return true;
    });
  });

const folder = ownFolder();
const [proxy, asking] = [
  await startForwardProxy(),
  await startForwardProxy({ credentials: 'ann:canary-of-the-proxy' }),
];
const hook = await receiver();
const certificate = certificateFor('localhost', 90);
const { at, mails } = await mailServer({ ...certificate, secure: true });
after(async () => {
  await Promise.all([hook.end(), proxy.stop(), asking.stop(), hesitant.stop()]);
});

function settingsOf(...lines: readonly string[]): Settings {
  const file = join(folder, 'monitor.env');
  writeFileSync(file, lines.join('\n'));
  return loadSettings({ file, isNamed: true, flags: {}, process: {} });
}

const mail = [
  `SMTP_URL=smtps://${at}?tls.ca=${encodeURIComponent(certificate.cert)}`,
  'EMAIL_FROM=a@your.test',
  'EMAIL_TO=b@your.test',
];
const NOBODY = 'PROXY=http://127.0.0.1:1';
const signedIn = ['PROXY_USERNAME=ann', 'PROXY_PASSWORD=canary-of-the-proxy'];
/**
 * Each row has the settings, then the path at which the notice arrives or the reason why it doesn't, and then the request that the proxy
 * gets.
 */
const rows: [name: string, lines: readonly string[], expected: string | RegExp, seen?: RegExp][] = [
  ['a webhook', [`PROXY=${proxy.address}`, `WEBHOOK_URL=${hook.url}`], '/secret-path', /^POST http:\/\/127/],
  ['mail', [`PROXY=${proxy.address}`, ...mail], 'mail', /^CONNECT localhost:/],
  ['mail with credentials', [`PROXY=${asking.address}`, ...signedIn, ...mail], 'mail', /^CONNECT localhost:/],
  ['a webhook past it', [NOBODY, 'NO_PROXY=127.0.0.1', `WEBHOOK_URL=${hook.url}/past`], '/secret-path/past'],
  ['a webhook by none', [NOBODY, `WEBHOOK_URL=${hook.url}`], /could not be reached \(ECONNREFUSED\)/],
  ['mail by one that asks', [`PROXY=${asking.address}`, ...mail], /did not accept the message/],
];
for (const [name, lines, expected, seen] of rows)
  test(`notices by a proxy: ${name}`, async () => {
    for (const each of [proxy, asking]) each.seen.length = 0;
    hook.received.length = mails.length = 0;
    const [send] = settingsOf(...lines).channels.values();
    const sent = send?.(fakeNotice('down'), fakeSending());
    if (typeof expected !== 'string') {
      await assert.rejects(sent as Promise<void>, ({ message }: Error) => {
        assert.doesNotMatch(message, /canary/);
        return expected.test(message);
      });
      return;
    }
    await sent;
    assert.deepEqual([...hook.received.map(({ path }) => path), ...mails.map(() => 'mail')], [expected]);
    const asked = [...proxy.seen, ...asking.seen].map(({ line }) => line);
    assert.equal(asked.length > 0, seen !== undefined);
    if (seen) assert.match(asked[0] ?? '', seen);
  });

test('the heartbeat goes by the proxy, too; one that knows no /start gets the ping itself, without a failure', async (t) => {
  proxy.seen.length = 0;
  const { heartbeatUrl, route } = settingsOf(`PROXY=${proxy.address}`, `HEARTBEAT_URL=${hook.url}`);
  await heartbeat(heartbeatUrl, route, assert.fail).begin();
  assert.match(proxy.seen[0]?.line ?? '', /^GET http:\/\/127\.0\.0\.1:\d+\/secret-path\/start$/);
  const watcher = await receiver([404]);
  t.after(watcher.end);
  const beats = heartbeat(watcher.url, undefined, assert.fail);
  await beats.begin();
  await beats.next(true);
  await beats.next(false);
  const paths = watcher.received.map(({ path }) => path);
  assert.deepEqual(paths, ['/secret-path/start', '/secret-path', '/secret-path/fail']);
});

test('addresses in the clear by a proxy need consent, and NO_PROXY needs a proxy', () => {
  for (const [lines, problem] of [
    [['PROXY=http://a.test', 'WEBHOOK_URL=http://b.test/x'], /WEBHOOK_URL {2}is http:\/\/, so its credentials would/],
    [['PROXY=http://a.test', 'HEARTBEAT_URL=http://b.test/x'], /HEARTBEAT_URL {2}is http:\/\/, so its credentials/],
    [['NO_PROXY=a.test'], /NO_PROXY {2}needs PROXY/],
  ] as const)
    assert.throws(() => settingsOf(...lines), problem);
  const { channels } = settingsOf('PROXY=http://a.test', 'PROXY_IN_CLEAR=yes', 'WEBHOOK_URL=http://b.test/x');
  assert.deepEqual([...channels.keys()], ['webhook']);
});
