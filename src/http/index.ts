/*
 * Sends a request and returns an exchange: the request, and the response or the connection's failure.
 * Its input is a transport, a route, a deadline in ms, and the credentials of one origin.
 * It masks secrets before any other code sees a response, and judges nothing. It exports spans if a collector is configured.
 */
export { bodyOf, type Parsed, type ResponseBody, readBody } from './body.ts';
export {
  type ConnectionFailure,
  connectionCodes,
  hostPhases,
  isUnconnected,
  reasonOfCode,
} from './connection-failure.ts';
export { newTraceId, RUN_HEADER, scenarioSpanId, userAgent } from './correlation-headers.ts';
export { Deadline } from './deadline.ts';
export {
  curlLine,
  type Exchange,
  type HttpResponse,
  header,
  type PreparedRequest,
  type SentRequest,
} from './exchange.ts';
export {
  alike,
  decoded,
  entryCount,
  exactly,
  fieldsIn,
  isJsonType,
  leaves,
  mentions,
  parsedJson,
  recordsIn,
  valueAt,
} from './json.ts';
export { isRecord, recordProblems } from './json-record.ts';
export {
  AnswerTooLong,
  fetchByRoute,
  isTakenAsProxy,
  NodeTransport,
  ownCertificate,
  type RoutedRequest,
  shortAnswer,
} from './node-transport.ts';
export { type Phase, type Phases, phaseNames } from './phases.ts';
export { exhaustedMs, pauseBeforeRetry, retryAfterMs, retryAfterText, throttlingOf } from './rate-limit-headers.ts';
export { type ForwardProxy, type Pin, pinOf, proxyHref, type Route } from './route.ts';
export { exportSpan, exportsSpans, startSpans, tracing } from './spans.ts';
export { type HttpRequest, send, type Transport } from './transport.ts';
export { GRACE_MS, unlessAborted, unlessStopped } from './unless-aborted.ts';
export { CALL_HEADER, callUnderWay, type WireCall, type WireTrace, watchWire } from './wire.ts';
export { shownHeaders } from './wire-head.ts';
