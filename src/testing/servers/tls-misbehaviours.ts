import type { KeyAndCertificate } from './certificate.ts';
import { selfSigned } from './certificate.ts';
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
  return selfSigned({ hosts: [host], validFrom: new Date(Date.now() - 400 * DAY_MS), validTo });
}

const HOST = '127.0.0.1';
const inTls = { verdict: 'unreachable', phase: 'tls' } as const;

export function tlsMisbehaviours(): TlsMisbehaviour[] {
  return [
    {
      name: 'a self-signed certificate',
      tls: certificateFor(HOST, 90),
      trusted: false,
      ...inTls,
      reason: /the certificate is self-signed/,
    },
    {
      name: 'an expired certificate',
      tls: certificateFor(HOST, -1),
      trusted: true,
      ...inTls,
      reason: /the certificate has expired/,
    },
    {
      name: 'a certificate for another host',
      tls: certificateFor('elsewhere.example', 90),
      trusted: true,
      ...inTls,
      reason: /the certificate is for another host/,
    },
    { name: 'a silent handshake', trusted: false, waits: true, ...inTls, reason: /still in the TLS handshake/ },
    {
      name: 'plain HTTP on a TLS port',
      trusted: false,
      onSocket: (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      ...inTls,
      reason: /does not speak valid TLS/,
    },
    {
      name: 'closed during the handshake',
      trusted: false,
      onSocket: (socket) => socket.once('data', () => socket.end()),
      ...inTls,
      reason: /closed without a response/,
    },
  ];
}
