import type { Phase } from '../../../client/index.ts';
import { hostPhases } from '../../../runner/index.ts';

/** What can be done about a connection that failed. `key` names its address; `proxies` are the variables that name a proxy. */
export function connectionCure(
  { code, phase }: { readonly code: string; readonly phase?: Phase },
  key: string,
  proxies: readonly string[],
): string {
  const isOne = (known: string) => known === code || (known.endsWith('_') && code.startsWith(known));
  const [, cure] = Object.entries(cures).find(([codes]) => codes.split(' ').some(isOne)) ?? ['', `check ${key}`];
  const isBeforeTls = phase === undefined || (hostPhases.includes(phase) && phase !== 'tls');
  const isNetwork = isBeforeTls && isNetworkCode(code);
  const proxy =
    isNetwork && proxies.length > 0
      ? `. ${proxies.join(' and ')} ${proxies.length === 1 ? 'names' : 'name'} a proxy, but this environment connects directly: PROXY=env uses it`
      : '';
  return `${cure.replaceAll('KEY', key)}${proxy}`;
}

const NETWORK = ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ETIMEDOUT', 'DEADLINE', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Whether a VPN, a proxy or a firewall may be behind a failure. */
export function isNetworkCode(code: string): boolean {
  return NETWORK.includes(code);
}

/** By codes; one that ends in `_` stands for all that begin so. */
const cures: Readonly<Record<string, string>> = {
  ENOTFOUND: 'check the host name in KEY',
  EAI_AGAIN: 'check the network of this machine (VPN, name server)',
  ECONNREFUSED: 'check the port in KEY, and that the service is running',
  'ECONNRESET CLOSED': 'check the port in KEY; something there closes connections',
  'DEADLINE ETIMEDOUT EHOSTUNREACH': 'check that this machine may reach KEY (VPN, firewall)',
  ENETUNREACH: 'check the network of this machine (VPN)',
  'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    'trust the authority that signed it: NODE_EXTRA_CA_CERTS=/path/to/ca.pem, or NODE_USE_SYSTEM_CA=1 for those of this system',
  CERT_HAS_EXPIRED: 'renew the certificate, or correct the clock of this machine',
  CERT_NOT_YET_VALID: 'correct the clock of this machine, or that of whoever made the certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'put the host name that the certificate is for into KEY',
  'EPROTO ERR_SSL_': 'KEY begins with https://, but that port may speak http://',
  TOO_LARGE: 'raise MAX_ANSWER_BYTES',
  PROXY_AUTH: 'set PROXY_USERNAME and PROXY_PASSWORD',
  PROXY_REFUSED: 'ask whoever runs the proxy to allow KEY, or name its host in NO_PROXY',
  PROXY_UNREACHABLE: 'check PROXY',
  HPE_: 'KEY begins with http://, but that port may speak https:// or something else',
};

const NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of a process that name a proxy, as they are written there. Their values may hold a password, so they are not given. */
export function proxyVariables(env: Variables = process.env): string[] {
  return NAMES.flatMap((name) => [name, name.toLowerCase()]).filter((name) => env[name]);
}
