import { X509Certificate } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { dirname, matchesGlob, resolve } from 'node:path';
import { decoded } from '../http/json.ts';
import { type ForwardProxy, pinOf, proxyHref, type Route } from '../http/route.ts';
import { Secret } from '../redaction/index.ts';
import { areaIds, areas } from '../service/index.ts';
import { ConfigurationError } from './configuration-error.ts';
import { definedFields } from './defined-fields.ts';
import { FileTrouble, fileRoles, readBytes } from './files/index.ts';
import type { KeyProblem, Report } from './keys/check-keys.ts';
import type { SecretKey, Values } from './keys/keys.ts';
import { isLoopbackAddress, isLoopbackHost } from './keys/values.ts';
import { loadNow } from './late-modules.ts';

interface Sources {
  readonly values: Partial<Values>;
  readonly secrets: Partial<Record<SecretKey, Secret>>;
  /** The path of the environment's file. Paths in its values are relative to its folder. */
  readonly file: string;
  readonly process: Readonly<Record<string, string | undefined>>;
}

/** The route to an environment's addresses: proxy, pins and TLS. `undefined` for a plain direct connection, which most environments use. */
export function routeOf(sources: Sources, report: Report): Route | undefined {
  const { tls, ...ends } = tlsOf(sources, report);
  const proxyOf = proxyForOf(sources, report);
  const proxyFor = proxyOf && usable(proxyOf);
  const unusable = new Set<string>();
  const { values } = sources;
  const { CONNECT_TO: pins = [] } = values;
  const unused = new Set(pins);
  for (const key of [...areaIds.map((area) => areas[area].addressKey), 'TOKEN_URL', 'PROVISION_URL'] as const) {
    const url = values[key];
    if (!(url instanceof URL)) continue;
    for (const pin of pins) if (pinOf({ pins: [pin] }, hostOf(url), portOf(url))) unused.delete(pin);
    const proxy = proxyOf?.(url);
    if (proxy && 'problem' in proxy) {
      unusable.add(proxy.problem);
      continue;
    }
    if (!proxyFor || url.protocol !== 'http:' || !proxyFor(url)) continue;
    for (const { text } of inClear(key, url, { proxyFor }, values)) report(key, text);
    if (pinOf({ pins }, hostOf(url), portOf(url)))
      report(
        'CONNECT_TO',
        `can't connect ${url.origin} directly, because PROXY applies to it; name the host in NO_PROXY, or use https://`,
      );
  }
  for (const problem of unusable) report('PROXY', problem);
  for (const { from, to } of pins)
    if (isLoopbackHost(from.host) && !isLoopbackHost(to.host))
      report(
        'CONNECT_TO',
        `leads ${from.host} to ${to.host}, which is another machine, but the suite would treat it as this machine; put the service's own host name into the address`,
      );
  for (const { from } of unused)
    report('CONNECT_TO', `names ${[from.host, from.port].filter(Boolean).join(':')}, which no address here has`);
  if (!proxyFor && pins.length === 0 && Object.keys(tls).length === 0) return undefined;
  return { proxyFor: proxyFor ?? (() => undefined), pins, tls, ...ends };
}

/** The problem if credentials would pass a proxy unencrypted and the team hasn't consented to that (PROXY_IN_CLEAR). */
export function inClear(
  key: string,
  url: URL,
  { proxyFor }: Pick<Route, 'proxyFor'>,
  { PROXY_IN_CLEAR: isAgreed }: Pick<Partial<Values>, 'PROXY_IN_CLEAR'>,
): KeyProblem[] {
  const proxy = proxyFor(url);
  if (url.protocol !== 'http:' || isAgreed || !proxy || (isLoopbackAddress(url) && isLoopbackAddress(proxy.url)))
    return [];
  const cure = 'use https://, or set PROXY_IN_CLEAR=yes';
  return [{ key, text: `is http://, so its credentials would reach the proxy in the clear; ${cure}` }];
}

/** Whether an address leads to this machine. Behind a proxy on another machine, a loopback address leads to that machine. */
export function isOnThisMachine(address: URL, { values, process }: Pick<ProxySources, 'values' | 'process'>): boolean {
  if (!isLoopbackAddress(address)) return false;
  const proxy = proxyForOf({ values, secrets: {}, process }, () => {})?.(address);
  // If the proxy can't be used, `routeOf` reports this.
  return !proxy || !('url' in proxy) || isLoopbackAddress(proxy.url);
}

/** The route for requests that belong to no environment, such as the monitor's alerts: through a proxy, or direct. */
export function proxyRoute(sources: ProxySources): {
  readonly route?: Route;
  readonly problems: readonly KeyProblem[];
} {
  const problems: KeyProblem[] = [];
  const found = proxyForOf(sources, (key, text) => void problems.push({ key, text }));
  // Only the proxy for https:// is checked, because nearly all addresses of this route are https://. A wrong proxy for http:// fails when
  // it is used.
  const usual = found?.(new URL('https://any.invalid'));
  if (usual && 'problem' in usual) problems.push({ key: 'PROXY', text: usual.problem });
  return { problems, ...(found ? { route: { proxyFor: usable(found), pins: [], tls: {} } } : {}) };
}

interface ProxySources {
  readonly values: Pick<Partial<Values>, 'PROXY' | 'PROXY_USERNAME' | 'PROXY_IN_CLEAR' | 'NO_PROXY'>;
  readonly secrets: Partial<Record<'PROXY_PASSWORD', Secret>>;
  readonly process: Readonly<Record<string, string | undefined>>;
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');
const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80');

/** Makes the look-up throw if the proxy can't be used. A direct connection instead would send credentials by a way that nobody chose. */
function usable(found: (url: URL) => FoundProxy): Route['proxyFor'] {
  return (url) => {
    const proxy = found(url);
    if (proxy && 'problem' in proxy) throw new ConfigurationError(`PROXY ${proxy.problem}`);
    return proxy;
  };
}

/**
 * The proxy for an address, or the problem with the proxy that a variable such as HTTPS_PROXY names; `undefined` for a direct connection.
 */
type FoundProxy = ForwardProxy | { readonly problem: string } | undefined;

function proxyForOf(
  { values, secrets, process }: ProxySources,
  report: Report,
): ((url: URL) => FoundProxy) | undefined {
  const { PROXY: given, PROXY_USERNAME: username, NO_PROXY: ownNoProxy } = values;
  const { PROXY_PASSWORD: password } = secrets;
  if (given === undefined) {
    for (const key of ['NO_PROXY', 'PROXY_USERNAME', 'PROXY_IN_CLEAR'] as const)
      if (values[key] !== undefined) report(key, 'needs PROXY');
    return undefined;
  }
  if (given !== 'env') {
    const proxy = { url: given, ...definedFields({ username, password }) };
    reportUnusable(proxy, report);
    return (url) => (isLeftOut(url, ownNoProxy) ? undefined : proxy);
  }
  const named = (name: string): FoundProxy => {
    const proxy = proxyOfMachine(name, process, { username, password });
    if (proxy && 'url' in proxy) reportUnusable(proxy, report);
    return proxy;
  };
  const [http, https] = [named('HTTP_PROXY'), named('HTTPS_PROXY')];
  const noProxy = ownNoProxy ?? variableIn(process, 'NO_PROXY');
  return (url) => (isLeftOut(url, noProxy) ? undefined : url.protocol === 'https:' ? https : http);
}

function variableIn(process: ProxySources['process'], name: string): string | undefined {
  return process[name.toLowerCase()] || process[name] || undefined;
}

/**
 * The proxy that a variable such as HTTPS_PROXY names. Its credentials come from that address, otherwise from PROXY_USERNAME and
 * PROXY_PASSWORD.
 */
function proxyOfMachine(
  name: string,
  process: ProxySources['process'],
  { username, password }: { username: string | undefined; password: Secret | undefined },
): FoundProxy {
  const own = variableIn(process, name);
  const text = own ?? variableIn(process, 'ALL_PROXY');
  if (text === undefined) return undefined;
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (!url || !/^https?:$/.test(url.protocol)) {
    const of = own === undefined ? 'ALL_PROXY' : name;
    const kind = url && /^socks/.test(url.protocol) ? 'a SOCKS proxy, which Sextant can’t use' : 'not an address';
    return { problem: `is env, but ${of} is ${kind}; expected http:// or https://, or NO_PROXY for these addresses` };
  }
  const [user, pass] = [decoded(url.username), decoded(url.password)];
  const credentials = definedFields({ username: user || username, password: pass ? new Secret(pass) : password });
  return { url: new URL('/', url.origin), ...credentials };
}

function reportUnusable(proxy: ForwardProxy, report: Report): void {
  if (!loadNow('http').isTakenAsProxy(proxyHref(proxy)))
    report('PROXY', `can't be used: the HTTP client of Node ${process.versions.node} refuses it as an address`);
}

const entriesOf = (noProxy: string) =>
  noProxy
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((each) => each !== '');

/**
 * Whether `noProxy` names an address. Its entries may be hosts, hosts with a port, domains such as `.example.org`, `::1`, ranges such as
 * `10.0.0.0/8`, patterns of Windows such as `10.*` and `api-*.example.org`, or `*`.
 */
function isLeftOut(url: URL, noProxy = ''): boolean {
  const { hostname } = url;
  return entriesOf(noProxy).some((each) => {
    const range = rangeOf(each);
    if (range) return isIP(hostOf(url)) !== 0 && range.check(hostOf(url), isIP(hostOf(url)) === 6 ? 'ipv6' : 'ipv4');
    const [, host = '', ownPort] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(each) ?? ['', `[${each}]`];
    const name = host.replace(/^\*?\./, '');
    // A pattern such as `10.*` is only for IP addresses, because a host name may begin with the same text.
    const isLike =
      name.includes('*') && (!/^[\d.*]+$/.test(name) || isIP(hostname) === 4) && matchesGlob(hostname, name);
    const isHost = host === '*' || isLike || hostname === name || hostname.endsWith(`.${name}`);
    return isHost && (ownPort === undefined || ownPort === portOf(url));
  });
}

/** The range of IP addresses that an entry spells: `10.0.0.0/8`, `fd00::/8`; `undefined` if the entry is no range. */
function rangeOf(entry: string): BlockList | undefined {
  const [, address = '', bits] = /^\[?([\d.:a-f]+)\]?\/(\d{1,3})$/.exec(entry) ?? [];
  const family = isIP(address);
  if (family === 0 || Number(bits) > (family === 6 ? 128 : 32)) return undefined;
  const range = new BlockList();
  range.addSubnet(address, Number(bits), family === 6 ? 'ipv6' : 'ipv4');
  return range;
}

const MOST_BYTES = 200_000;

function tlsOf({ values, secrets, file }: Sources, report: Report): Pick<Route, 'tls' | 'certificateEndsAt'> {
  const { CLIENT_KEY: key, CLIENT_KEY_PASSPHRASE: passphrase } = secrets;
  const read = (name: 'CLIENT_CERT_FILE' | 'CLIENT_PKCS12_FILE' | 'CA_FILE'): Buffer | undefined => {
    const path = values[name];
    if (path === undefined) return undefined;
    try {
      return readBytes(resolve(dirname(file), path), fileRoles.given, MOST_BYTES);
    } catch (error) {
      if (!(error instanceof FileTrouble)) throw error;
      report(name, `names a file that can't be read: ${error.message}`);
      return undefined;
    }
  };
  const [cert, ca] = [read('CLIENT_CERT_FILE')?.toString(), read('CA_FILE')?.toString()];
  const pfx = read('CLIENT_PKCS12_FILE');
  if (pfx && (cert || key))
    report('CLIENT_PKCS12_FILE', 'is set as well as CLIENT_CERT_FILE or CLIENT_KEY; remove one of them');
  if (cert && !key) report('CLIENT_KEY_FILE', 'is missing; CLIENT_CERT_FILE needs it');
  if (key && !values.CLIENT_CERT_FILE) report('CLIENT_CERT_FILE', 'is missing; CLIENT_KEY needs it');
  const tls: Route['tls'] = definedFields({ ca, cert, key, pfx, passphrase });
  if (Object.keys(tls).length === 0) return { tls };
  try {
    if (ca !== undefined) new X509Certificate(ca);
    const own = loadNow('http').ownCertificate(tls);
    const certificateEndsAt = Buffer.isBuffer(own) ? new X509Certificate(own).validToDate.getTime() : undefined;
    return { tls, ...definedFields({ certificateEndsAt }) };
  } catch (error) {
    if (pfx && /unsupported/i.test(`${(error as Error).message}`)) {
      const cure = 'export it again: openssl pkcs12 -legacy -in old.p12 -nodes | openssl pkcs12 -export -out new.p12';
      report('CLIENT_PKCS12_FILE', `is of an old kind (RC2 or 3DES), which OpenSSL 3 doesn't read; ${cure}`);
      return { tls };
    }
    // The library's message isn't shown, because it may contain a part of the file.
    report(
      cert ? 'CLIENT_CERT_FILE' : pfx ? 'CLIENT_PKCS12_FILE' : 'CA_FILE',
      `and what belongs to it can’t be used: expected ${pfx ? 'PKCS#12' : 'PEM, with its own key'} and the right CLIENT_KEY_PASSPHRASE`,
    );
    return { tls };
  }
}
