import { type Exchange, type HttpResponse, header, hostPhases, type Phase, valueAt } from '../../../http/index.ts';
import { areas, type HeaderSetId } from '../../../service/index.ts';
import { isHtml, outcomeOf, type SuccessRule } from '../../../verdict/index.ts';
import type { PlannedRead } from './harmless-requests.ts';

/**
 * accepted: the service accepted a read with the credentials · reached: something responds, but nothing was read · refused: the service did
 * not accept the credentials · odd: a response that can't be used · unreachable: no response.
 */
export type AreaState = 'accepted' | 'reached' | 'refused' | 'odd' | 'unreachable';

export interface Explained {
  readonly state: AreaState;
  /** The observation in a few words, e.g. `refused (401)`. */
  readonly text: string;
  readonly cure?: string;
  readonly keys: readonly string[];
}

const credentialKeys: Readonly<Record<HeaderSetId, readonly string[]>> = {
  user: ['ACCESS_TOKEN', 'CLIENT_ID', 'USER_ID'],
  apiKey: ['API_KEY', 'CLIENT_ID'],
  flag: ['API_KEY', 'CLIENT_ID', 'USER_ID'],
};

export function explainResponse(
  { operation, keys }: Pick<PlannedRead, 'operation' | 'keys'>,
  exchange: Exchange,
  response: HttpResponse,
  rule?: SuccessRule,
): Explained {
  const { status } = response;
  const { isAccepted, isThrottled, refusesCredential, door } = outcomeOf(exchange, rule);
  const { addressKey } = areas[operation.area];
  const odd = (text: string, cure: string, suspects: readonly string[] = [addressKey]): Explained => ({
    state: 'odd',
    text,
    cure,
    keys: suspects,
  });
  const named = keys.join(' and ');
  const { json } = response.body;
  if (door) return odd(`${door.says} (${status})`, door.cure, []);
  if (refusesCredential) return refused(`refused (${status})`, operation.headerSet);
  const other = inBetween(status);
  if (other) return other;
  if (isThrottled) return odd('throttled (429)', 'try again later; MAX_REQUESTS_PER_SECOND slows runs down', []);
  if (status >= 300 && status < 400) {
    // The address is shown without its query, which may contain a key.
    const place =
      header(response, 'location')
        ?.replace(/[?#].*$/s, '')
        .slice(0, 200) || 'nowhere';
    const cure = `put the address that serves the API itself into ${addressKey}; redirects are never followed`;
    return odd(`redirects (${status}) to ${place}`, cure);
  }
  if (status === 404 || status === 405)
    return odd(
      `no such path (${status}): ${new URL(exchange.request.url).pathname}`,
      `check the path prefix in ${addressKey}${json.ok ? `, and ${named}` : ''}${status === 404 && operation.isPaged ? '; if the list only has no entries, a run with changes shows that' : ''}`,
      [addressKey, ...(json.ok ? keys : [])],
    );
  if (status >= 500)
    return odd(`the service fails (${status})`, `check ${named}, or ask the owners of the service`, keys);
  if (status >= 400) return odd(`refuses the values sent (${status})`, `check ${named}`, keys);
  if (isHtml(header(response, 'content-type'), response.body.text))
    return odd(
      `answers with a page instead of JSON (${status})`,
      `${addressKey} may be the address of a website, of a login page or of a captive portal`,
    );
  if (rule && !isAccepted) {
    const value = json.ok ? valueAt(json.value, rule.pointer) : undefined;
    const isShown = ['string', 'number', 'boolean'].includes(typeof value);
    const shown = isShown ? JSON.stringify(value).slice(0, 40) : 'absent';
    return refused(`refused (${status}, ${rule.pointer} is ${shown})`, operation.headerSet, keys);
  }
  const problem = json.ok ? undefined : json.problem;
  if (problem !== undefined && !isAccepted)
    return odd(`${status}, but the body is ${problem}`, `check whether ${addressKey} is the address of the API`);
  return { state: 'accepted', text: `accepted (${status})`, keys: [] };
}

/** Explains a response of a proxy, or of a gateway without a service behind it; `undefined` for other statuses. */
export function inBetween(status: number): Explained | undefined {
  const [text, cure] =
    status === 407
      ? ['a proxy on the way asks for credentials', 'run Sextant where no proxy is on the way']
      : ['the service, or a gateway before it, is unavailable', 'check that the service is running'];
  return [407, 502, 503, 504].includes(status)
    ? { state: 'odd', text: `${text} (${status})`, cure, keys: [] }
    : undefined;
}

/**
 * Explains that the service refused the credentials. `values` are the keys of the other values in the request, if these values may be the
 * reason instead: a service that reports the refusal in the body doesn't show which value it refuses.
 */
function refused(text: string, headerSet: HeaderSetId, values: readonly string[] = []): Explained {
  const [first, ...others] = credentialKeys[headerSet];
  const or = values.length > 0 ? `, or ${values.join(' and ')}` : '';
  const cure = `check ${first}, then ${others.join(' and ')}${or}`;
  return { state: 'refused', text, cure, keys: [...credentialKeys[headerSet], ...values] };
}

/**
 * The cure for a failed connection; `undefined` if none is known. `key` is the environment's key of the address; `proxies` are variables that name a
 * proxy.
 */
export function connectionCure(
  { code, phase }: { readonly code: string; readonly phase?: Phase },
  key: string,
  proxies: readonly string[],
): string | undefined {
  const isOne = (known: string) => known === code || (known.endsWith('_') && code.startsWith(known));
  const [, cure] = Object.entries(cures).find(([codes]) => codes.split(' ').some(isOne)) ?? [];
  // A server at the address began a TLS handshake, so the advice to correct the address would be wrong.
  if (!cure && phase === 'tls') return undefined;
  const isBeforeTls = phase === undefined || (hostPhases.includes(phase) && phase !== 'tls');
  const isNetwork = isBeforeTls && NETWORK.includes(code);
  const proxy =
    isNetwork && proxies.length > 0
      ? `. ${proxies.join(' and ')} ${proxies.length === 1 ? 'names' : 'name'} a proxy, but this environment connects directly: PROXY=env uses it`
      : '';
  return `${(cure ?? 'check KEY').replaceAll(/\bKEY\b/g, key)}${proxy}`;
}

/** Codes of failures that a VPN, a proxy or a firewall may cause. */
const NETWORK = ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ETIMEDOUT', 'DEADLINE', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Cures by codes, separated by blanks. A code that ends in `_` matches all codes with this beginning. */
const cures: Readonly<Record<string, string>> = {
  ENOTFOUND: 'check the host name in KEY',
  EAI_AGAIN: 'check the network of this machine (VPN, name server)',
  ECONNREFUSED: 'check the port in KEY, and that the service is running',
  'ECONNRESET CLOSED EPIPE': 'check the port in KEY; something there closes connections',
  'DEADLINE ETIMEDOUT EHOSTUNREACH': 'check that this machine may reach KEY (VPN, firewall)',
  'ENETUNREACH ENETDOWN': 'check the network of this machine (VPN)',
  'EACCES EPERM': 'allow this program to connect there (firewall or sandbox of this machine)',
  'EMFILE ENFILE ENOMEM ENOBUFS EADDRNOTAVAIL': 'end other programs on this machine, or raise its limits',
  'INFORMATIONAL_FLOOD UNASKED_UPGRADE': 'ask the owners of the service what responds at KEY',
  'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    'trust the authority that signed it: set CA_FILE (or NODE_EXTRA_CA_CERTS), or NODE_USE_SYSTEM_CA=1 for those of this system',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'let the server send its whole chain, with the intermediate certificate; or, if its authority isn’t trusted here, set CA_FILE',
  CERT_HAS_EXPIRED: 'renew the certificate, or correct the clock of this machine',
  CERT_NOT_YET_VALID: 'correct the clock of this machine, or that of whoever made the certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'put the host name that the certificate is for into KEY',
  TLS_ALERT_40:
    'set CLIENT_CERT_FILE and CLIENT_KEY_FILE (or CLIENT_PKCS12_FILE) if it asks for a client certificate; else ask its owners for usual ciphers (ECDHE with AES-GCM, RSA and ECDSA)',
  TLS_ALERT_116: 'set CLIENT_CERT_FILE and CLIENT_KEY_FILE, or CLIENT_PKCS12_FILE',
  'TLS_ALERT_42 TLS_ALERT_43 TLS_ALERT_44 TLS_ALERT_45 TLS_ALERT_46 TLS_ALERT_48 TLS_ALERT_49':
    'put a client certificate that this service accepts into CLIENT_CERT_FILE (or CLIENT_PKCS12_FILE)',
  'TLS_ALERT_70 ERR_SSL_UNSUPPORTED_PROTOCOL': 'ask its owners to switch on TLS 1.2 or 1.3',
  TLS_ALERT_71: 'ask its owners for usual ciphers (ECDHE with AES-GCM)',
  TLS_ALERT_112: 'check the host name in KEY',
  TLS_ALERT_: 'ask the owners of the service what it expects of a TLS client',
  ERR_SSL_WRONG_VERSION_NUMBER: 'KEY begins with https://, but that port may speak http://',
  ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED:
    'ask its owners to update the server or load balancer there: TLS 1.3, or TLS 1.2 with secure renegotiation',
  'ERR_SSL_EE_CERTIFICATE_KEY_TOO_WEAK ERR_SSL_CA_CERTIFICATE_KEY_TOO_WEAK':
    'ask its owners for certificates with RSA keys of 2048 bits or more, or with elliptic curves',
  ERR_SSL_CA_SIGNATURE_DIGEST_ALGORITHM_TOO_WEAK: 'ask its owners for certificates that are signed with SHA-256',
  ERR_SSL_DH_KEY_TOO_SMALL: 'ask its owners for ECDHE, or Diffie-Hellman keys of 2048 bits',
  INVALID_PURPOSE: 'ask its owners for a certificate for servers (extended key usage serverAuth)',
  TOO_LARGE: 'raise MAX_ANSWER_BYTES',
  HEADERS_TOO_LARGE: 'raise MAX_HEADER_BYTES',
  PROXY_AUTH: 'set PROXY_USERNAME and PROXY_PASSWORD',
  PROXY_REFUSED: 'ask whoever runs the proxy to allow KEY, or name its host in NO_PROXY',
  PROXY_UNREACHABLE: 'check PROXY',
  HPE_: 'KEY begins with http://, but that port may speak https:// or something else',
};

const NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The names of the variables of this process that set a proxy, in upper or lower case as they are set. Returns no values, because these may
 * contain a password.
 */
export function proxyVariables(env: Variables = process.env): string[] {
  return NAMES.flatMap((name) => [name, name.toLowerCase()]).filter((name) => env[name]);
}
