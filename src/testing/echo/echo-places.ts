import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const printable = /^[\x20-\x7e]+$/;
/** Characters of a header name. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

/** A part of a response, outside of its body, in which a service may repeat a credential. */
export interface HeadPlace {
  readonly name: string;
  readonly fits: RegExp;
  readonly say: (response: ServerResponse, texts: readonly string[]) => void;
}

const numbered = (texts: readonly string[]) =>
  Object.fromEntries(texts.map((text, index) => [`x-echo-${index}`, text] as const));

const inHead: Readonly<Record<string, HeadPlace['say']>> = {
  'informational response': (response, texts) =>
    response.writeEarlyHints({ link: '</style.css>; rel=preload', ...numbered(texts) }),
  'status line': (response, texts) => {
    response.statusMessage = texts.join(' ');
  },
  header: (response, texts) => response.setHeaders(new Map(Object.entries(numbered(texts)))),
  'header name': (response, texts) => response.setHeaders(new Map(texts.map((text) => [`x-${text}`, 'named']))),
  Location: (response, texts) =>
    void response.setHeader('location', `https://elsewhere.test/?token=${texts.join('&token=')}`),
  cookie: (response, texts) =>
    void response.setHeader(
      'set-cookie',
      texts.map((text) => `session=${text}; Path=/`),
    ),
  trailer: (response, texts) => response.setHeader('trailer', 'x-echo-0').addTrailers(numbered(texts)),
};

/** Each is said in before the head is sent. */
export const headPlaces: readonly HeadPlace[] = Object.entries(inHead).map(([name, say]) => {
  return { name, say, fits: name === 'header name' ? token : printable };
});

/** A body that repeats texts. */
export interface EchoedBody {
  readonly bytes: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent in pieces of a few bytes. */
  readonly isSplit?: true;
}

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };
const asJson = (texts: readonly string[]) =>
  Buffer.from(JSON.stringify({ error: texts, ...Object.fromEntries(texts.map((text) => [text, 'as a key'])) }));
/** As a server writes it whose own escaping gave the form. */
const asRawJson = (texts: readonly string[]) => {
  const strings = texts.map((text) => (isJsonString(text) ? `"${text}"` : JSON.stringify(text)));
  return Buffer.from(`{"error": [${strings.join(', ')}], "nothing": 1.50}`, 'latin1');
};
const asHtml = (texts: readonly string[]) =>
  Buffer.from(`<h1>Error</h1>${texts.map((text) => `<p title="${text}">${text}</p>`).join('')}`, 'latin1');

export const bodyPlaces: Readonly<Record<string, (texts: readonly string[]) => EchoedBody>> = {
  'JSON body': (texts) => ({ bytes: asJson(texts), headers: json }),
  'JSON body as it is written': (texts) => ({ bytes: asRawJson(texts), headers: json }),
  'HTML body': (texts) => ({ bytes: asHtml(texts), headers: html }),
  'UTF-16 body': (texts) => ({
    bytes: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(asJson(texts).toString(), 'utf16le')]),
    headers: { 'content-type': 'application/json; charset=utf-16' },
  }),
  'UTF-16 body without a mark': (texts) => ({
    bytes: Buffer.from(asJson(texts).toString(), 'utf16le').swap16(),
    headers: json,
  }),
  'gzip body': (texts) => ({ bytes: gzipSync(asJson(texts)), headers: { ...json, 'content-encoding': 'gzip' } }),
  'brotli body': (texts) => ({
    bytes: brotliCompressSync(asHtml(texts)),
    headers: { ...html, 'content-encoding': 'br' },
  }),
  'body in chunks': (texts) => ({ bytes: asJson(texts), headers: json, isSplit: true }),
};

function isJsonString(text: string): boolean {
  try {
    return typeof JSON.parse(`"${text}"`) === 'string';
  } catch {
    return false;
  }
}
