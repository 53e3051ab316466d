import type { AreaId, CallableId } from '../spec/index.ts';
import type { ResponseBody } from './http/body.ts';
import type { ConnectionFailure } from './http/connection-failure.ts';
import type { Phases } from './http/phases.ts';
import type { ResponseHead } from './http/response-head.ts';

/** A request as it was sent, its secrets masked. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** The operation's own headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers by which a backend finds and filters the suite's traffic: user agent, trace, run. */
  readonly correlation: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer as it came, the caller's secrets masked. */
export interface HttpResponse extends ResponseHead {
  readonly body: ResponseBody;
}

/** One request and its answer, or its failure. It is born clean: no exchange ever holds a secret. */
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
  /** The answer held a secret of the caller, somewhere; it was masked. */
  readonly echoedSecret?: true;
  /** Sent a second time: the service had closed the kept-open connection that it first went over. */
  readonly sentAgain?: true;
  /** `ip:port` of the other end. */
  readonly serverAddress?: string;
  /** When the certificate ends; epoch, in ms. */
  readonly certificateValidTo?: number;
}

/** The value of an answer's header, by its lower-case name. */
export function header(answer: HttpResponse, name: string): string | undefined {
  return answer.headers.find(([given]) => given.toLowerCase() === name)?.[1];
}
