import type { Secret } from '../redaction/secret.ts';

/** A forward proxy. */
export interface ForwardProxy {
  /** Without credentials. */
  readonly url: URL;
  readonly username?: string;
  readonly password?: Secret;
}

/** How the addresses of an environment are reached. */
export interface Route {
  /** `undefined`: directly. */
  proxyFor(url: URL): ForwardProxy | undefined;
  readonly tls: {
    /** The authorities to trust beside the usual ones; PEM. */
    readonly ca?: string;
    /** The client's certificate chain; PEM. */
    readonly cert?: string;
    readonly key?: Secret;
    readonly passphrase?: Secret;
  };
}

/** The address of a proxy with its credentials, for an HTTP library alone. */
export function proxyHref({ url, username, password }: ForwardProxy): string {
  const full = new URL(url);
  full.username = encodeURIComponent(username ?? '');
  full.password = encodeURIComponent(password?.reveal() ?? '');
  return full.href;
}
