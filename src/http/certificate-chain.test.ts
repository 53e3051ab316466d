import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { issued, keyPair } from '../testing/servers/certificate.ts';
import { listening } from '../testing/servers/listening.ts';
import { chainEndOf } from './certificate-chain.ts';

const DAY_MS = 86_400_000;
const HOST = '127.0.0.1';
const holder = (name: string) => ({ name, keys: keyPair() });
const [server, intermediate, root, older] = [holder(HOST), holder('Between'), holder('Root'), holder('Older')];
const trusted = issued(root, root, 900, true);
const own = issued(server, intermediate, 90, false);
const between = (days: number) => issued(intermediate, root, days, true);

/**
 * Each row: the certificates that the server sends, the trusted certificate, the days until the verified chain expires, and the authority
 * whose certificate expires first. If a row names no authority, the server's own certificate expires first.
 */
const rows: readonly (readonly [name: string, sent: readonly string[], ca: string, days: number, of?: string])[] = [
  ['the server’s own ends first', [own, between(400)], trusted, 90],
  ['an intermediate ends first', [own, between(3)], trusted, 3, 'Between'],
  ['the root ends first, which the server doesn’t send', [own, between(400)], issued(root, root, 5, true), 5, 'Root'],
  // As with Let's Encrypt: the server also sends an old certificate of the root, signed by another authority. Verification doesn't need
  // this old certificate.
  ['a cross-signed one ends first', [own, between(400), issued(root, older, 2, true)], trusted, 90],
  [
    'a cross-signed one is needed',
    [own, between(400), issued(root, older, 2, true)],
    issued(older, older, 900, true),
    2,
    'Root',
  ],
];

for (const [name, sent, ca, days, of] of rows)
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
    test(`${name}, ${maxVersion}: ${days} days, ${of ?? 'its own'}; the same over a resumed session`, async (t) => {
      const key = server.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
      const { port, stop } = await listening(
        createServer({ key, cert: sent.join(''), maxVersion }, (socket) => socket.end('.')),
      );
      t.after(stop);
      const connected = async (session?: Buffer) => {
        const socket: TLSSocket = connect({ host: HOST, port, ca, ...(session ? { session } : {}) });
        const saved = once(socket, 'session');
        await once(socket, 'secureConnect');
        const end = chainEndOf(socket, `https://${HOST}:${port}`, ca);
        const isResumed = socket.isSessionReused();
        socket.resume();
        const [ticket] = session ? [] : ((await saved) as [Buffer]);
        socket.destroy();
        return { end, isResumed, ticket };
      };
      const first = await connected();
      const again = await connected(first.ticket);
      assert.deepEqual([first.isResumed, again.isResumed], [false, true]);
      for (const { end } of [first, again]) {
        assert.equal(Math.round(((end?.at ?? 0) - Date.now()) / DAY_MS), days);
        assert.equal(end?.authority, of);
      }
    });
