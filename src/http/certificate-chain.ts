import { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';

/** The expiry of a certificate chain, which is that of the certificate that expires first. */
export interface ChainEnd {
  /** Epoch, in ms. */
  readonly at: number;
  /** The authority whose certificate expires first; absent if the server's own certificate does. */
  readonly authority?: string;
}

/** Expiries by origin and address, kept because Node gives no certificates for a resumed session. */
const ends = new Map<string, ChainEnd>();

/**
 * Returns when the certificate chain of a connection expires; `undefined` without certificates. The connection trusts the usual authorities and `ca`
 * (PEM).
 */
export function chainEndOf(socket: TLSSocket, origin: string, ca: string | undefined): ChainEnd | undefined {
  const place = `${origin} ${socket.remoteAddress}`;
  const known = socket.isSessionReused() ? ends.get(place) : undefined;
  if (known) return known;
  const leaf = socket.getPeerCertificate(true);
  if (!leaf.valid_to) return undefined;
  const end = endOf(leaf, ca);
  ends.set(place, end);
  return end;
}

function endOf(leaf: DetailedPeerCertificate, ca: string | undefined): ChainEnd {
  const sent = chainOf(leaf);
  const own = Date.parse(leaf.valid_to);
  // Usually no authority's certificate expires before the server's own, so the trusted authorities needn't be read.
  if (sent.every(({ valid_to: end }) => Date.parse(end) >= own)) return { at: own };
  const verified = upToAnchor(sent, anchorsOf(ca));
  const [at, { subject }] = verified
    .map((each) => [Date.parse(each.valid_to), each] as const)
    .reduce((a, b) => (b[0] < a[0] ? b : a));
  if (at === own) return { at };
  const name = [subject.CN ?? subject.O ?? 'unnamed'].flat().join(' ');
  return { at, authority: name.replaceAll(/\p{C}/gu, ' ').slice(0, 100) };
}

type Link = Pick<DetailedPeerCertificate, 'valid_to' | 'subject' | 'raw'>;

function chainOf(leaf: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain = [leaf];
  for (let next = leaf.issuerCertificate; next && !chain.includes(next); next = next.issuerCertificate)
    chain.push(next);
  return chain;
}

/**
 * Cuts a chain where verification ends. OpenSSL prefers a trusted authority to a certificate that the server sends, so a chain ends at the first
 * certificate that a trusted authority of this machine signed. The server may send more, such as an old cross-signed certificate of that authority.
 */
function upToAnchor(sent: readonly DetailedPeerCertificate[], anchors: readonly X509Certificate[]): readonly Link[] {
  for (const [index, { raw }] of sent.entries()) {
    const certificate = new X509Certificate(raw);
    const issuers = anchors.filter(
      (anchor) => anchor.subject === certificate.issuer && certificate.verify(anchor.publicKey),
    );
    const [anchor] = issuers.sort((a, b) => b.validToDate.getTime() - a.validToDate.getTime());
    if (anchor) return [...sent.slice(0, index + 1), anchor.toLegacyObject() as Link];
  }
  return sent;
}

const anchors = new Map<string | undefined, readonly X509Certificate[]>();

/** Trusted authorities whose certificates are self-signed. */
function anchorsOf(ca: string | undefined): readonly X509Certificate[] {
  const known = anchors.get(ca);
  if (known) return known;
  const all = [...process.getBuiltinModule('node:tls').getCACertificates('default'), ca].join('\n');
  const found = (all.match(PEM) ?? [])
    .map((pem) => new X509Certificate(pem))
    .filter(({ subject, issuer }) => subject === issuer);
  anchors.set(ca, found);
  return found;
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
