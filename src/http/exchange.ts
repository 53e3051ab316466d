import type { AreaId, CallableId } from '../service/index.ts';
import type { ResponseBody } from './body.ts';
import type { ConnectionFailure } from './connection-failure.ts';
import type { Phases, SilentAddresses } from './phases.ts';
import type { ResponseHead } from './wire-head.ts';

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The headers by which a backend can find the requests of Sextant: user agent, trace, run. */
  readonly correlation: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpResponse extends ResponseHead {
  readonly body: ResponseBody;
}

/**
 * How the service treated a request that a drill tampered with. done: the service accepted it · not done: the service got it, but didn't
 * accept it · not sent: the service didn't get it.
 */
export type Tampered = 'done' | 'not done' | 'not sent';

/** One request and its response or failure. An exchange never contains a secret. */
export interface Exchange {
  readonly operation: CallableId;
  readonly area: AreaId;
  /** Epoch, in ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly phases: Phases;
  readonly request: SentRequest;
  readonly response?: HttpResponse;
  readonly failure?: ConnectionFailure;
  /** The response contained a secret of the caller. The secret was masked. */
  readonly echoedSecret?: true;
  /** The request was sent a second time, because the service had closed the kept-open connection of the first attempt. */
  readonly sentAgain?: true;
  /** The request may change something and went over a new connection, because the service closes kept-open ones. */
  readonly onOwnConnection?: true;
  /** The service sent a body where HTTP allows none: with a 204 or 304. */
  readonly hasStrayBody?: boolean;
  /** IP addresses of the service's host that didn't respond to a connection attempt, before another address did. */
  readonly silentAddresses?: SilentAddresses;
  /** Present if a drill made or changed the response: whether the service still carried out the request. */
  readonly tampered?: Tampered;
  /** `ip:port` of the service. */
  readonly serverAddress?: string;
  /** Expiry of the certificate in the verified chain that expires first; epoch, in ms. */
  readonly certificateValidTo?: number;
  /** The authority whose certificate expires first; absent if the server's own certificate does. */
  readonly certificateAuthority?: string;
}

export function header(answer: HttpResponse, name: string): string | undefined {
  return answer.headers.find(([given]) => given.toLowerCase() === name)?.[1];
}

/** A request that is ready to send. Its headers contain masks instead of credentials; `credentials` holds the real values. */
export interface PreparedRequest extends Omit<SentRequest, 'correlation'> {
  readonly credentials: ReadonlyMap<string, string>;
  /** The headers that every request of the caller has (its header set), except headers that this request changes or leaves out. */
  readonly ofSet?: Readonly<Record<string, string>>;
}

/** One `curl` line that repeats a request, for a POSIX shell, with credentials masked. */
export function curlLine({ method, url, headers, body }: Omit<SentRequest, 'correlation'>): string {
  const parts = ['curl -sS'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  parts.push(quote(url));
  for (const [name, value] of Object.entries(headers)) {
    // `-H 'name:'` would remove a header; `-H 'name;'` sends it empty.
    parts.push(`-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`);
  }
  if (body !== undefined) parts.push(`--data-raw ${quote(body)}`);
  return parts.join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
