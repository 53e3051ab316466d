import { type Exchange, header, mediaType } from '../../client/index.ts';
import { bodyOf, saysTheSame } from './says-the-same.ts';

/** The responses to one request sent twice: what differs between them means nothing. */
export type Twice = readonly [Exchange, Exchange];

/** Whether a refusal equals that of a request sent twice: same status, content type and text. */
export function isAlike(exchange: Exchange, pair: Twice): boolean {
  const [first] = pair;
  return (
    exchange.response?.status === first.response?.status &&
    typeOf(exchange) === typeOf(first) &&
    saysTheSame(bodyOf(exchange), [bodyOf(first), bodyOf(pair[1])])
  );
}

function typeOf({ response }: Exchange): string | null | undefined {
  return response && mediaType(header(response, 'content-type'));
}
