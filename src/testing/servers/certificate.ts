import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface KeyAndCertificate {
  /** PEM. */
  readonly key: string;
  /** PEM. */
  readonly cert: string;
}

const DAY_MS = 86_400_000;

/**
 * A certificate (X.509 v3, P-256) for a name or an IPv4 address, created without external tools. It expires in `days`. It is self-signed,
 * or signed by an authority with the name `authority`, which has no certificate itself.
 */
export function certificateFor(host: string, days: number, authority?: string): KeyAndCertificate {
  const keys = keyPair();
  const by = authority ? { name: authority, keys: keyPair() } : { name: host, keys };
  return {
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: issued({ name: host, keys }, by, days, false),
  };
}

export interface Holder {
  readonly name: string;
  readonly keys: ReturnType<typeof keyPair>;
}

export const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** The certificate of a server or of an authority, in PEM, which `by` signs and which expires in `days`. */
export function issued({ name, keys }: Holder, by: Holder, days: number, isAuthority: boolean): string {
  const validFrom = new Date(Date.now() - 400 * DAY_MS);
  const validTo = new Date(Date.now() + days * DAY_MS);
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const named = (common: string) => sequence(tlv(0x31, sequence(oid(COMMON_NAME), tlv(0x0c, Buffer.from(common)))));
  const body = sequence(
    tlv(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    named(by.name),
    sequence(time(validFrom), time(validTo)),
    named(name),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(isAuthority ? authorityMark() : alternativeName(name))),
  );
  return pem(sequence(body, algorithm, bitString(sign('sha256', body, by.keys.privateKey))));
}

/** Object identifiers in their DER encoding. */
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';

const YES = tlv(0x01, Buffer.from([0xff]));

/** The critical extension that allows a certificate to sign others. */
const authorityMark = () => sequence(oid(BASIC_CONSTRAINTS), YES, tlv(0x04, sequence(YES)));

function alternativeName(host: string): Buffer {
  const name = /^[\d.]+$/.test(host)
    ? tlv(0x87, Buffer.from(host.split('.').map(Number)))
    : tlv(0x82, Buffer.from(host));
  return sequence(oid(SUBJECT_ALT_NAME), tlv(0x04, sequence(name)));
}

function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]) => tlv(0x30, Buffer.concat(parts));
const integer = (bytes: Buffer) => tlv(0x02, bytes);
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'));
const bitString = (bytes: Buffer) => tlv(0x03, Buffer.concat([Buffer.from([0]), bytes]));

/** UTCTime: YYMMDDHHMMSSZ. */
function time(date: Date): Buffer {
  return tlv(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
