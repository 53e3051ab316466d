import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { fakeNotice, fakeSending } from '../../testing/monitor/fakes.ts';
import { receiver } from '../../testing/monitor/receiver.ts';
import { certificateFor } from '../../testing/servers/certificate.ts';
import { email } from './channels/email.ts';
import { heartbeat } from './heartbeat.ts';

/** A mail server that speaks TLS, with a certificate that expires in so many days; it refuses each password. */
async function mailServer(days?: number, authority?: string): Promise<string> {
  const tls = days === undefined ? { disabledCommands: ['STARTTLS'] } : certificateFor('localhost', days, authority);
  const server = new SMTPServer({
    secure: days !== undefined,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(new Error('swordfish is wrong')),
    ...tls,
  });
  server.on('error', () => {});
  const listener = server.listen(0, 'localhost');
  await once(listener, 'listening');
  after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `localhost:${(listener.address() as AddressInfo).port}`;
}

const ENCODE = 'encode @ and # in the password as %40 and %23';
const rows: [name: string, address: string, said: string][] = [
  ['a self-signed certificate', `smtps://a:b@${await mailServer(90)}`, 'its certificate is self-signed; '],
  [
    'an unknown authority',
    `smtps://a:b@${await mailServer(90, 'Nobody')}`,
    'its certificate is of an unknown authority; ',
  ],
  ['a wrong password', `smtp://a:swordfish@${await mailServer()}`, `password in SMTP_URL; ${ENCODE}; EAUTH 535`],
  ['nobody who listens', 'smtp://a:b@127.0.0.1:1', 'it refuses the connection; '],
  // The address ends at #, and the rest of the password is its host.
  [
    'a password with @ and #',
    'smtp://user:p@nobody.invalid#word@mail.example.com',
    `the host in SMTP_URL, and ${ENCODE}; EDNS`,
  ],
];
for (const [name, SMTP_URL, said] of rows)
  test(`a mail server with ${name} is told in words, with what to do`, async () => {
    const send = email.open({ SMTP_URL, EMAIL_FROM: 'a@example.com', EMAIL_TO: 'b@example.com' });
    await assert.rejects(send(fakeNotice('down'), fakeSending()), ({ message }: Error) => {
      assert.ok(message.startsWith('the mail server did not accept the message ('), message);
      assert.ok(message.includes(said), message);
      assert.doesNotMatch(message, /swordfish|nobody|word@/);
      return true;
    });
  });

test('a receiver that knows no /start gets the ping itself, without a failure', async (t) => {
  const watcher = await receiver([404]);
  t.after(watcher.end);
  const said: string[] = [];
  const beats = heartbeat(watcher.url, undefined, (line) => said.push(line));
  await beats.begin();
  await beats.next(true);
  await beats.next(false);
  const paths = watcher.received.map(({ path }) => path);
  assert.deepEqual(paths, ['/secret-path/start', '/secret-path', '/secret-path/fail']);
  assert.deepEqual(said, []);
});
