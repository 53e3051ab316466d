import type { Secret } from '../redaction/index.ts';

export interface ForwardProxy {
  /** Without credentials. */
  readonly url: URL;
  readonly username?: string;
  readonly password?: Secret;
}

/** Connections to a host, at one port or at any, that go elsewhere: a canary, or one of a pair. */
export interface Pin {
  readonly from: { readonly host: string; readonly port?: string };
  readonly to: { readonly host: string; readonly port?: string };
}

export interface Route {
  /** `undefined`: directly. */
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

/** The host that a request to `url` is sent to. */
export function connectedHost(url: URL, route: Route | undefined): string {
  const { protocol, hostname, port } = route?.proxyFor(url)?.url ?? url;
  const host = hostname.replace(/^\[|\]$/g, '');
  return (route && pinOf(route, host, port || (protocol === 'https:' ? '443' : '80'))?.host) ?? host;
}

/** The address of a proxy with its credentials, for an HTTP library alone. */
export function proxyHref({ url, username, password }: ForwardProxy): string {
  const full = new URL(url);
  full.username = encodeURIComponent(username ?? '');
  full.password = encodeURIComponent(password?.reveal() ?? '');
  return full.href;
}
