import { headers } from '../../spec/index.ts';
import { type Checked, wrong } from './check-keys.ts';

/** Longer than any id in use; a request whose headers have more than 16 kB is refused by most servers. */
const LONGEST_TEXT = 1_000;
/** Longer than any token in use. */
const LONGEST_SECRET = 16_000;
const LONGEST_NAME = 100;

/** A text that a call's body, path or headers hold. */
export function text(value: string): Checked<string> {
  if (value.length > LONGEST_TEXT)
    return { problem: `has ${value.length} characters; at most ${LONGEST_TEXT} are allowed` };
  return /\p{Cc}/u.test(value) ? { problem: 'contains a control character' } : { value };
}

/** A text that is sent in a header (RFC 9110, 5.5). */
export function headerText(value: string): Checked<string> {
  const checked = text(value);
  const odd = /[^\x20-\x7e]/u.exec(value)?.[0];
  if ('problem' in checked || odd === undefined) return checked;
  return { problem: `contains ${codePoint(odd)}, which is not allowed in a header; use printable ASCII` };
}

/** A text that is sent as one segment of a path, where dots alone would lead to another path. */
export function segmentText(value: string): Checked<string> {
  return /^\.\.?$/.test(value) ? wrong(value, 'is not valid in a path') : text(value);
}

/** A text that one operation sends in a header and another in a path. */
export function idText(value: string): Checked<string> {
  const segment = segmentText(value);
  return 'problem' in segment ? segment : headerText(value);
}

/** The problem with a secret for a header; never contains its value. */
export function secretProblem(value: string): string | undefined {
  if (value.length > LONGEST_SECRET) return `has ${value.length} characters; at most ${LONGEST_SECRET} are allowed`;
  return /[^\x20-\x7e]/.test(value) ? 'contains a character that is not allowed in a header' : undefined;
}

/** Headers with a meaning in HTTP (RFC 9110), that a proxy acts upon, or that the suite sends itself. */
const RESERVED =
  /^(host|date|via|expect|te|trailers?|transfer-encoding|upgrade|connection|keep-alive|proxy-.*|content-.*|accept(-.*)?|if-.*|range|max-forwards|authorization|cookie2?|set-cookie2?|origin|referer|forwarded|x-forwarded-.*|x-http-method.*|http2-settings|sec-.*|access-control-.*|user-agent|traceparent|tracestate|mm-.*|app-.*|x-sextant-(?!run$).*)$/;

/** The name of a header that means nothing yet, in lower case; `off` is null. */
export function headerName(value: string): Checked<string | null> {
  const name = value.toLowerCase();
  if (name === 'off') return { value: null };
  if (name.length > LONGEST_NAME || !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
    return wrong(value.slice(0, LONGEST_NAME), 'is not a header name; expected e.g. x-request-run, or off');
  // Some libraries can't distinguish names like __proto__ from header names.
  if (RESERVED.test(name) || Object.hasOwn(headers, name) || name in {})
    return { problem: `${value} is a reserved header; choose another name, or off` };
  return { value: name };
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
