import type { Secret } from '../redaction/index.ts';

export interface ForwardProxy {
  /** The address, without credentials. */
  readonly url: URL;
  readonly username?: string;
  readonly password?: Secret;
}

/** Connects to another address instead of a host, for one port or all ports: for example to a canary, or to one of two servers. */
export interface Pin {
  readonly from: { readonly host: string; readonly port?: string };
  readonly to: { readonly host: string; readonly port?: string };
}

export interface Route {
  /** The proxy for an address; `undefined`: connect directly. */
  proxyFor(url: URL): ForwardProxy | undefined;
  readonly pins: readonly Pin[];
  readonly tls: {
    /** Authorities to trust in addition to the usual ones; PEM. */
    readonly ca?: string;
    /** The client's certificate chain; PEM. */
    readonly cert?: string;
    readonly key?: Secret;
    /** The client's certificate and key together: PKCS#12. */
    readonly pfx?: Buffer;
    readonly passphrase?: Secret;
  };
  /** When the client's certificate expires; epoch, in ms. */
  readonly certificateEndsAt?: number;
}

export function pinOf({ pins }: Pick<Route, 'pins'>, host: string, port: string): Pin['to'] | undefined {
  return pins.find(({ from }) => from.host === host && (from.port === undefined || from.port === port))?.to;
}

/** The host that a request to `url` connects to: the proxy, the pinned host, or the host in `url`. */
export function connectedHost(url: URL, route: Route | undefined): string {
  const { protocol, hostname, port } = route?.proxyFor(url)?.url ?? url;
  const host = hostname.replace(/^\[|\]$/g, '');
  return (route && pinOf(route, host, port || (protocol === 'https:' ? '443' : '80'))?.host) ?? host;
}

/** The address of a proxy with its credentials. Only an HTTP library may get it, because it may contain a password. */
export function proxyHref({ url, username, password }: ForwardProxy): string {
  const full = new URL(url);
  full.username = encodeURIComponent(username ?? '');
  full.password = encodeURIComponent(password?.reveal() ?? '');
  return full.href;
}
