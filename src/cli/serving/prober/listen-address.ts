import { ConfigurationError } from '../../../config/index.ts';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const usual: ListenAddress = { host: '127.0.0.1', port: 9465 };

/**
 * `127.0.0.1:9465`, `127.0.0.1`, `:9465` (every address of this machine), `[::1]:9465`; what is left out is as usual.
 * @throws ConfigurationError that names `source`, the option or variable
 */
export function listenAddress(text: string | undefined, source: string): ListenAddress {
  if (text === undefined || text === '') return usual;
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([^\s:/[\]]*))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const port = digits === undefined ? usual.port : Number(digits);
  const bare = /^[\da-f]*(:[\da-f]*){2,}$/i.test(text) ? text : undefined;
  if (bare) return { host: bare, port: usual.port };
  const host = bracketed ?? (plain === '' ? '0.0.0.0' : plain);
  if (host === undefined || port > 65_535)
    throw new ConfigurationError(
      `${source} ${JSON.stringify(text)} is not an address to listen on; expected e.g. 127.0.0.1:9465, 0.0.0.0 or [::1]:9465.`,
    );
  return { host, port };
}
