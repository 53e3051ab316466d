import type { Pin } from '../../http/index.ts';
import {
  type CallableId,
  callableIds,
  type Effect,
  effects,
  headers,
  type Operation,
  pathParameters,
  readProfile,
} from '../../service/index.ts';
import type { SuccessRule } from '../../verdict/index.ts';
import { didYouMean } from '../sentence-parts.ts';
import { type Checked, partsOf, wrong } from './check-keys.ts';

/** In characters. Many servers refuse longer addresses. */
const LONGEST_ADDRESS = 2_000;

/** Checks a base address, and adds a trailing slash so that paths resolve below its prefix. */
export function url(value: string): Checked<URL> {
  const checked = address(value);
  if ('problem' in checked) return checked;
  const { origin, pathname } = checked.value;
  const version = /\/v1(?=\/|$)/.exec(pathname);
  if (version) {
    const base = `${origin}${pathname.slice(0, version.index)}`;
    return {
      problem: `${JSON.stringify(value)} goes too far: every path begins with /v1; drop /v1 and all after it: ${base}`,
      instead: base,
    };
  }
  if (!pathname.endsWith('/')) checked.value.pathname += '/';
  return checked;
}

function address(value: string): Checked<URL> {
  if (value.length > LONGEST_ADDRESS)
    return { problem: `has ${value.length} characters; at most ${LONGEST_ADDRESS} are allowed` };
  const url = URL.parse(value);
  // Checked before anything that shows the value, because it may contain a password.
  const isHttp = url !== null && /^https?:$/.test(url.protocol);
  if (isHttp ? url.username || url.password : value.includes('@'))
    return { problem: 'contains a user or a password; credentials are sent in headers only' };
  const [expansion] = /\$\{\w+\}|\$\(\w+\)|\$[A-Z_]\w*|%[A-Z_][A-Z\d_]{2,}%/.exec(value) ?? [];
  if (expansion)
    return { problem: `contains ${expansion}, but variables are not expanded here; write the address out` };
  if (/[<>{}]/.test(value)) return placeholder(value);
  if (!url) return wrong(value, 'is not a URL; expected e.g. https://friends.staging.your.org/api');
  // URL parsers drop some of these characters and encode others. No user wants that.
  if (/\p{Cc}|%[01][0-9a-f]|%7f/iu.test(value)) return { problem: 'contains a control character' };
  if (!isHttp) return wrong(value, 'is not an http:// or https:// URL');
  if (url.port === '0') return wrong(value, 'has port 0, where nothing can listen');
  if (url.search || url.hash) return { problem: 'contains a query or a fragment; expected scheme, host and path only' };
  // These domains are reserved for examples (RFC 2606), so no service has such an address.
  if (/(^|\.)(example|invalid)$/.test(url.hostname)) return placeholder(value);
  return { value: url };
}

/** Checks a token endpoint. It must be https:// or a loopback address, because it gets the client's secret. */
export function tokenUrl(value: string): Checked<URL> {
  const checked = address(value);
  if ('problem' in checked || checked.value.protocol === 'https:' || isLoopbackAddress(checked.value)) return checked;
  return wrong(value, 'would get secrets in the clear; expected https://');
}

/** Checks a proxy's address, or the word `env`: the proxy of the machine's variables. */
export function proxyAddress(value: string): Checked<URL | 'env'> {
  if (value === 'env') return { value };
  const checked = url(value);
  return 'problem' in checked && /user or a password/.test(checked.problem)
    ? { problem: 'contains a user or a password; set PROXY_USERNAME and PROXY_PASSWORD' }
    : checked;
}

/**
 * Checks a comma-separated list of pins such as `friends.your.org:443=10.0.0.7:8443`. A pin without ports applies to every port, and
 * doesn't change the port.
 */
export function pinList(value: string): Checked<readonly Pin[]> {
  const part = String.raw`(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?`;
  const pins: Pin[] = [];
  for (const text of partsOf(value)) {
    const [, host, port, toHost, toPort] = new RegExp(`^${part}=${part}$`, 'i').exec(text) ?? [];
    if (!host || !toHost || [port, toPort].some((each) => Number(each ?? 1) < 1 || Number(each ?? 1) > 65_535))
      return wrong(text, 'is not name:port=address:port; expected e.g. friends.your.org:443=10.0.0.7:443');
    const at = (name: string, its?: string) => ({
      host: name.toLowerCase().replace(/^\[|\]$/g, ''),
      ...(its === undefined ? {} : { port: String(Number(its)) }),
    });
    pins.push({ from: at(host, port), to: at(toHost, toPort) });
  }
  return { value: pins };
}

export function yes(value: string): Checked<true> {
  return value === 'yes' ? { value: true } : wrong(value, 'is not yes');
}

export function yesOrNo(value: string): Checked<boolean> {
  return value === 'yes' || value === 'no' ? { value: value === 'yes' } : wrong(value, 'is neither yes nor no');
}

/** Checks a URL that contains `{traceId}`. The URL becomes a link in pages, so it must not contain credentials. */
export function traceUrl(value: string): Checked<string> {
  const parsed = URL.parse(value);
  if (!value.includes(TRACE_ID) || !parsed || !/^https?:$/.test(parsed.protocol) || /\s/.test(value))
    return wrong(
      value.replace(/\/\/.*@/, '//'),
      `is not an address with ${TRACE_ID}; expected e.g. https://jaeger.your.org/trace/${TRACE_ID}`,
    );
  if (parsed.username || parsed.password) return { problem: 'contains a user or a password; a link must not' };
  return text(value);
}

export function isLoopbackAddress({ hostname }: URL): boolean {
  return isLoopbackHost(hostname.replace(/^\[|\]$/g, ''));
}

/** Whether a host name or IP address (IPv6 without brackets) belongs to this machine. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|::1)$/.test(host);
}

function placeholder(value: string): { problem: string } {
  return { problem: `is still the placeholder ${value.replace(/^.*@/, '')}; put the address of your service here` };
}

export function integer(min: number, max: number): (value: string) => Checked<number> {
  return number(/^\d+$/, (found) => found >= min && found <= max, `is not a whole number from ${min} to ${max}`);
}

export function positive(max: number): (value: string) => Checked<number> {
  return number(/^\d+(\.\d+)?$/, (found) => found > 0 && found <= max, `is not a number above 0 and up to ${max}`);
}

function number(form: RegExp, isIn: (found: number) => boolean, problem: string): (value: string) => Checked<number> {
  return (value) => (form.test(value) && isIn(Number(value)) ? { value: Number(value) } : wrong(value, problem));
}

export function effectList(value: string): Checked<ReadonlySet<Effect>> {
  const given = partsOf(value);
  const unknown = given.filter((effect) => !effects.includes(effect as Effect));
  if (unknown.length > 0)
    return {
      problem: `${unknown.map((effect) => JSON.stringify(effect)).join(', ')} ${unknown.length === 1 ? 'is not an effect' : 'are not effects'}; expected ${effects.join(', ')}`,
    };
  return { value: new Set(given as Effect[]) };
}

export function operationList(value: string): Checked<ReadonlySet<CallableId>> {
  const given = partsOf(value);
  const unknown = given.find((id) => !callableIds.includes(id as CallableId));
  if (unknown === undefined) return { value: new Set(given as CallableId[]) };
  return wrong(unknown, `is not an operation${didYouMean(unknown, callableIds)}; expected ${callableIds.join(', ')}`);
}

const MOST_IDS = 1_000;
const LONGEST_PATH = 1_000;

export function idList(value: string): Checked<readonly string[]> {
  const ids = partsOf(value);
  for (const id of ids) {
    const checked = segmentText(id);
    if ('problem' in checked) return wrong(id.slice(0, 50), checked.problem);
  }
  if (ids.length > MOST_IDS) return { problem: `names ${ids.length} ids; at most ${MOST_IDS} are allowed` };
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return twice ? { problem: `contains ${JSON.stringify(twice)} twice, but each is used only once` } : { value: ids };
}

export function pathList(value: string): Checked<readonly string[]> {
  const paths = partsOf(value);
  const address = paths.find((path) => /^[a-z][a-z0-9+.-]+:\/\//i.test(path));
  if (address) return wrong(address, 'is an address; name a file, which is read from this machine');
  return paths.length === 0 ? { problem: 'names no file' } : { value: paths };
}

export function segments(value: string): Checked<{ readonly n1: string; readonly n2: string }> {
  const [, n1, n2] = /^(\d{1,18})\/(\d{1,18})$/.exec(value) ?? [];
  return n1 && n2 ? { value: { n1, n2 } } : wrong(value, 'is not two whole numbers; expected e.g. 0/100');
}

export function successRule(value: string): Checked<SuccessRule> {
  const expected = 'expected JSON Pointer = JSON value, e.g. /code=0';
  const split = value.indexOf('=');
  // RFC 6901 allows ~ only before 0 or 1.
  const isPointer = /^(?:\/(?:[^~/]|~[01])*)*$/.test(value.slice(0, split).trim());
  if (!value.startsWith('/') || split < 0 || !isPointer) return { problem: `${JSON.stringify(value)}: ${expected}` };
  try {
    return { value: { pointer: value.slice(0, split).trim(), value: JSON.parse(value.slice(split + 1)), text: value } };
  } catch {
    return {
      problem: `${JSON.stringify(value.slice(split + 1))} is not JSON; ${expected} (strings need quotes: /status="ok")`,
    };
  }
}

export function friendProfileRequest(value: string): Checked<Operation> {
  const [, method, path] = /^([A-Z]+)\s+(\/\S+)$/.exec(value) ?? [];
  const expected = 'expected e.g. GET /v1/profile/{userId}';
  if (!method || !path) return { problem: `${JSON.stringify(value)}: ${expected}` };
  if (method !== 'GET') return { problem: `${method} may change data, but this request must only read; ${expected}` };
  if (!/^\/v1[/?]/.test(path)) return { problem: `${path} does not start with /v1/; ${expected}` };
  const names = pathParameters(path);
  // Refuse paths that could lead to another place: a URL parser reads `%2e` as a dot, and a server may read `%2f` as a slash. Also refuse a
  // `%` without two hexadecimal digits: the user id that replaces `{userId}` could begin with the missing digits.
  const isOdd = /[^!-~]|#|\\|\/(?:\.|%2e){1,2}(?=[/?]|$)|%(?:2f|5c|(?![\da-f]{2}))/i.test(path);
  if (isOdd || path.length > LONGEST_PATH)
    return {
      problem: `the path may hold up to ${LONGEST_PATH} printable characters, without #, \\ and segments of dots, also as escapes; ${expected}`,
    };
  if (names.length !== 1 || names[0] !== 'userId')
    return { problem: `${path} must contain {userId} once and no other parameter; ${expected}` };
  return { value: { ...readProfile, method, path: path as `/v1/${string}` } };
}

/** In characters; longer than any id in use. Most servers refuse a request whose headers are larger than 16 kB. */
const LONGEST_TEXT = 1_000;
/** The placeholder in TRACE_URL that the id of a trace replaces. */
const TRACE_ID = '{traceId}';

/** In characters; longer than any token in use. */
const LONGEST_SECRET = 16_000;
const LONGEST_NAME = 100;

/** Checks a value that a request sends in its body, its path or a header. */
export function text(value: string): Checked<string> {
  if (value.length > LONGEST_TEXT)
    return { problem: `has ${value.length} characters; at most ${LONGEST_TEXT} are allowed` };
  return /\p{Cc}/u.test(value) ? { problem: 'contains a control character' } : { value };
}

/** Checks a value that a request sends in a header (RFC 9110, 5.5). */
export function headerText(value: string): Checked<string> {
  const checked = text(value);
  const odd = /[^\x20-\x7e]/u.exec(value)?.[0];
  if ('problem' in checked || odd === undefined) return checked;
  return { problem: `contains ${codePoint(odd)}, which is not allowed in a header; use printable ASCII` };
}

/** Checks a value that becomes one segment of a path. `.` and `..` would lead to another path. */
export function segmentText(value: string): Checked<string> {
  return /^\.\.?$/.test(value) ? wrong(value, 'is not valid in a path') : text(value);
}

/** Checks a value that one operation sends in a header and another operation in a path. */
export function idText(value: string): Checked<string> {
  const segment = segmentText(value);
  return 'problem' in segment ? segment : headerText(value);
}

/** The problem with a secret that a request sends in a header; never contains the secret. */
export function secretProblem(value: string): string | undefined {
  if (value.length > LONGEST_SECRET) return `has ${value.length} characters; at most ${LONGEST_SECRET} are allowed`;
  return /[^\x20-\x7e]/.test(value) ? 'contains a character that is not allowed in a header' : undefined;
}

/** Headers that have a meaning in HTTP (RFC 9110), that a proxy acts upon, or that Sextant sends itself. */
const RESERVED =
  /^(host|date|via|expect|te|trailers?|transfer-encoding|upgrade|connection|keep-alive|proxy-.*|content-.*|accept(-.*)?|if-.*|range|max-forwards|authorization|cookie2?|set-cookie2?|origin|referer|forwarded|x-forwarded-.*|x-http-method.*|http2-settings|sec-.*|access-control-.*|user-agent|traceparent|tracestate|mm-.*|app-.*|x-sextant-(?!run$).*)$/;

/**
 * Checks the name of a header: it must be valid, and neither reserved nor in use by the service. Returns it in lower case; null for `off`.
 */
export function headerName(value: string): Checked<string | null> {
  const name = value.toLowerCase();
  if (name === 'off') return { value: null };
  if (name.length > LONGEST_NAME || !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
    return wrong(value.slice(0, LONGEST_NAME), 'is not a header name; expected e.g. x-request-run, or off');
  // `name in {}`: some libraries confuse such names, e.g. `__proto__`, with members of an object.
  if (RESERVED.test(name) || Object.hasOwn(headers, name) || name in {})
    return { problem: `${value} is a reserved header; choose another name, or off` };
  return { value: name };
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
