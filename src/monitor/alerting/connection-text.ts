import type { Phase } from '../../client/index.ts';
import { areaTitle } from '../../spec/index.ts';
import { extentOf } from '../status/extent.ts';
import type { Flip } from '../status/flip.ts';

interface Sentences {
  readonly down: (where: string) => string;
  readonly still: (where: string, lasted: string) => string;
  readonly up: (where: string) => string;
}

const sentences: Readonly<Record<Phase, Sentences>> = {
  dns: {
    down: (where) => `${where} can't be resolved`,
    still: (where, lasted) => `${where} could not be resolved for ${lasted}`,
    up: (where) => `${where} can be resolved again`,
  },
  connect: {
    down: (where) => `nothing answers at ${where}`,
    still: (where, lasted) => `nothing has answered at ${where} for ${lasted}`,
    up: (where) => `connections to ${where} succeed again`,
  },
  tls: {
    down: (where) => `no TLS connection to ${where}`,
    still: (where, lasted) => `no TLS connection to ${where} for ${lasted}`,
    up: (where) => `TLS connections to ${where} work again`,
  },
  processing: {
    down: (where) => `no response from ${where}`,
    still: (where, lasted) => `no response from ${where} for ${lasted}`,
    up: (where) => `responses from ${where} arrive again`,
  },
  transfer: {
    down: (where) => `incomplete responses from ${where}`,
    still: (where, lasted) => `incomplete responses from ${where} for ${lasted}`,
    up: (where) => `responses from ${where} are complete again`,
  },
};

/** What happened to each address, after `6 of 6 addresses`. */
const participles: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  CLOSED: 'closed',
  DEADLINE: 'timed out',
  ETIMEDOUT: 'timed out',
  ENOTFOUND: 'unknown',
  EHOSTUNREACH: 'unreachable',
  UNREACHABLE: 'unreachable',
};

const nouns: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'certificate expired',
  CERT_NOT_YET_VALID: 'certificate not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'self-signed certificate in the chain',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate for another host',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate of an unknown authority',
  EPROTO: 'no valid TLS',
};

/** The headline where nothing usable came back. `lasted` is a duration as text. */
export function connectionText(hits: readonly Flip[], kind: 'down' | 'more' | 'still' | 'up', lasted: string): string {
  const { phase = 'connect' } = hits[0]?.cause.pattern ?? {};
  const of = sentences[phase === 'response' ? 'processing' : phase];
  const extent = extentOf(hits);
  const [first = ''] = extent.hosts;
  const where = extent.hosts.size === 1 ? first : `${extent.hosts.size} hosts`;
  switch (kind) {
    case 'down':
      return `${of.down(where)} (${extentText(hits)})`;
    case 'more':
      return `${of.down(where)} (${extent.environments.length > 1 ? '' : 'now '}${extentText(hits)})`;
    case 'still':
      return `${of.still(where, lasted)} (${extentText(hits)})`;
    case 'up':
      return `${of.up(where)} after ${lasted}`;
  }
}

/** `6 of 6 addresses refused`, `Friends: 1 of 6 addresses timed out`; `refused` where the headline names several environments. */
function extentText(hits: readonly Flip[]): string {
  const { areas, addresses, of, environments } = extentOf(hits);
  const { code = 'UNREACHABLE' } = hits[0]?.cause.pattern ?? {};
  const what = participles[code] ? ` ${participles[code]}` : `: ${nouns[code] ?? code}`;
  if (environments.length > 1) return what.replace(/^:? /, '');
  const named = areas.map((area) => areaTitle(area)).join(', ');
  if (of <= 1) return `${named || 'all areas'}${what}`;
  return `${addresses.length < of ? `${named}: ` : ''}${addresses.length} of ${of} addresses${what}`;
}
