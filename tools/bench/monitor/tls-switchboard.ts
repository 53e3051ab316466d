import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type RawServer, startRawServer } from '../../../src/testing/raw-server.ts';
import { certificateFor, type TlsMisbehaviour, tlsMisbehaviours } from '../../../src/testing/tls-misbehaviours.ts';

/** A service over TLS that works, before and after each misbehaviour. */
function working(): TlsMisbehaviour {
  return {
    name: 'a working service',
    tls: certificateFor('127.0.0.1', 90),
    trusted: true,
    verdict: 'passed',
    reason: /^$/,
    onRequest: (socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 15\r\n\r\n{"value":true} '),
  };
}

/** One port, behind which the TLS server changes: its certificate is part of it. */
export async function tlsSwitchboard() {
  const usual = getCACertificates();
  const sockets = new Set<Socket>();
  let behind: RawServer | undefined;
  const front = createServer((socket) => {
    const onward = connect(behind?.port ?? 0, '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      from.pipe(to);
    }
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return {
    port: (front.address() as AddressInfo).port,
    rows: [working(), ...tlsMisbehaviours().flatMap((row) => [row, working()])],
    switchTo: async (row: TlsMisbehaviour): Promise<void> => {
      const before = behind;
      setDefaultCACertificates(row.tls && row.trusted ? [...usual, row.tls.cert] : usual);
      behind = await startRawServer(row, row.tls);
      await before?.stop();
    },
    stop: async (): Promise<void> => {
      setDefaultCACertificates(usual);
      for (const socket of sockets) socket.destroy();
      front.close();
      await behind?.stop();
    },
  };
}
