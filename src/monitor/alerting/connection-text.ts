import type { Phase } from '../../client/index.ts';
import { areaTitle } from '../../spec/index.ts';
import { extentOf } from '../status/extent.ts';
import type { Flip } from '../status/flip.ts';

/** What is wrong with `@`, how that is told after `#`, and what is said when it is over. */
const sentences: Readonly<Record<Phase, readonly [down: string, still: string, up: string]>> = {
  dns: ["@ can't be resolved", '@ could not be resolved for #', '@ can be resolved again'],
  connect: ['nothing answers at @', 'nothing has answered at @ for #', 'connections to @ succeed again'],
  tls: ['no TLS connection to @', 'no TLS connection to @ for #', 'TLS connections to @ work again'],
  processing: ['no response from @', 'no response from @ for #', 'responses from @ arrive again'],
  transfer: ['incomplete responses from @', 'incomplete responses from @ for #', 'responses from @ are complete again'],
};

/** What happened to each address, after `6 of 6 addresses`. */
const endings: Readonly<Record<string, string>> = {
  ECONNREFUSED: ' refused',
  ECONNRESET: ' reset',
  CLOSED: ' closed',
  DEADLINE: ' timed out',
  ETIMEDOUT: ' timed out',
  ENOTFOUND: ' unknown',
  EHOSTUNREACH: ' unreachable',
  UNREACHABLE: ' unreachable',
  CERT_HAS_EXPIRED: ': certificate expired',
  CERT_NOT_YET_VALID: ': certificate not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: ': self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: ': self-signed certificate in the chain',
  ERR_TLS_CERT_ALTNAME_INVALID: ': certificate for another host',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ': certificate of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ': certificate of an unknown authority',
  EPROTO: ': no valid TLS',
};

/** The headline where nothing usable came back. `lasted` is a duration as text. */
export function connectionText(hits: readonly Flip[], kind: 'down' | 'more' | 'still' | 'up', lasted: string): string {
  const { phase = 'connect' } = hits[0]?.cause.pattern ?? {};
  const { hosts, environments } = extentOf(hits);
  const [first = ''] = hosts;
  const where = hosts.size === 1 ? first : `${hosts.size} hosts`;
  const texts = sentences[phase === 'response' ? 'processing' : phase].map((text) =>
    text.replace('@', () => where).replace('#', lasted),
  );
  const [down, still, up] = texts;
  if (kind === 'up') return `${up} after ${lasted}`;
  const now = kind === 'more' && environments.length < 2 ? 'now ' : '';
  return `${kind === 'still' ? still : down} (${now}${extentText(hits)})`;
}

/** `6 of 6 addresses refused`, `Friends: 1 of 6 addresses timed out`; `refused` where the headline names several environments. */
function extentText(hits: readonly Flip[]): string {
  const { areas, addresses, of, environments } = extentOf(hits);
  const { code = 'UNREACHABLE' } = hits[0]?.cause.pattern ?? {};
  const what = endings[code] ?? `: ${code}`;
  if (environments.length > 1) return what.replace(/^:? /, '');
  const named = areas.map((area) => areaTitle(area)).join(', ');
  if (of <= 1) return `${named || 'all areas'}${what}`;
  return `${addresses.length < of ? `${named}: ` : ''}${addresses.length} of ${of} addresses${what}`;
}
