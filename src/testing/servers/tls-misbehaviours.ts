import { type KeyAndCertificate, selfSigned } from './certificate.ts';
import type { Misbehaviour } from './misbehaviours.ts';

const DAY_MS = 86_400_000;

/** One misbehaviour of a service over TLS. */
export interface TlsMisbehaviour extends Misbehaviour {
  /** Absent: the server doesn't speak TLS. */
  readonly tls?: KeyAndCertificate;
  /** Whether the caller trusts the certificate's issuer. */
  readonly trusted: boolean;
}

/** A certificate for `host` that expires in `days`. */
export function certificateFor(host: string, days: number): KeyAndCertificate {
  const validTo = new Date(Date.now() + days * DAY_MS);
  return selfSigned([host], new Date(Date.now() - 400 * DAY_MS), validTo);
}

const HOST = '127.0.0.1';
const inTls = { verdict: 'unreachable', phase: 'tls' } as const;

export function tlsMisbehaviours(): TlsMisbehaviour[] {
  const table: Readonly<Record<string, Partial<TlsMisbehaviour> & Pick<TlsMisbehaviour, 'reason'>>> = {
    'a self-signed certificate': { tls: certificateFor(HOST, 90), reason: /the certificate is self-signed/ },
    'an expired certificate': {
      tls: certificateFor(HOST, -1),
      trusted: true,
      reason: /the certificate has expired/,
    },
    'a certificate for another host': {
      tls: certificateFor('elsewhere.example', 90),
      trusted: true,
      reason: /the certificate is for another host/,
    },
    'a silent handshake': { waits: true, reason: /still in the TLS handshake/ },
    'plain HTTP on a TLS port': {
      onSocket: (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      reason: /does not speak valid TLS/,
    },
    'closed during the handshake': {
      onSocket: (socket) => socket.once('data', () => socket.end()),
      reason: /closed without a response/,
    },
  };
  return Object.entries(table).map(([name, row]) => ({ name, trusted: false, ...inTls, ...row }));
}
