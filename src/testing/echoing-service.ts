import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type AreaId, areaIds } from '../spec/index.ts';
import { interrupted, spellings } from './secret-spellings.ts';
import { http, listening } from './servers/listening.ts';
import { forwardTo } from './servers/wire-proxy.ts';

/**
 * How it treats a request. break: it fails, and its body repeats the credentials, too. decorate: it passes the request
 * on to the service behind it, and adds the credentials to what that says.
 */
type Treatment = 'break' | 'decorate';

export type EchoingService = Awaited<ReturnType<typeof startEchoingService>>;

export interface Behind {
  readonly addresses: Readonly<Record<AreaId, string>>;
  /** The credentials that it knows, in place of those that are given. */
  readonly credentials: ReadonlyMap<string, string>;
}

/** Few enough to fit into truncated texts and into a head. */
const FORMS_AT_ONCE = 3;
/** Said wherever a credential is repeated, and no secret: where it isn't found, a credential wouldn't be either. */
export const DECOY = 'decoy+service/5f0c9d?a=~71&ab<e';
/** No refusal of a credential: after that nothing more would be sent with it. */
const statuses = [500, 200, 422] as const;
const PIECE = 5;

/** What software writes in a text that it repeats. */
export const secretForms = Object.entries({ ...spellings, ...interrupted }).map(([name, encode]) => ({ name, encode }));
export type SecretForm = (typeof secretForms)[number];

export const groupsOf = (forms: readonly SecretForm[]) =>
  Array.from({ length: Math.ceil(forms.length / FORMS_AT_ONCE) }, (_, index) =>
    forms.slice(index * FORMS_AT_ONCE, (index + 1) * FORMS_AT_ONCE),
  );

const groups = groupsOf(secretForms);

/** A service that repeats the credentials of each request, in every form and every place in turn. */
export async function startEchoingService(behind: Behind) {
  /** The repeated forms so far, by place. */
  const said = new Map<string, Set<string>>();
  const sent = new Set<string>();
  const note = (place: string, forms: readonly SecretForm[]) => {
    const known = said.get(place) ?? new Set();
    for (const { name } of forms) known.add(name);
    said.set(place, known);
  };
  let count = 0;
  const service = { treatment: 'break' as Treatment };
  const server = http.createServer(async (request, response) => {
    const body = await buffer(request);
    const credentials = credentialsOf(request);
    // A turn without a credential would leave out a form in a place.
    const turn = credentials.length > 0 ? count++ : count;
    const forms = groups[turn % groups.length] ?? [];
    for (const each of credentials) sent.add(each);
    const passedOn = service.treatment === 'decorate' ? await passOn(request, body, behind) : undefined;
    response.statusCode = passedOn?.status ?? statuses[turn % statuses.length] ?? 500;
    const write = (fits: (text: string) => boolean) => {
      const fitting = forms.filter((form) => credentials.every((value) => fits(form.encode(value))));
      const texts = fitting.flatMap(({ encode }) => credentials.map(encode));
      return { fitting, texts: texts.length > 0 ? [...[DECOY].filter(fits), ...texts] : [] };
    };
    // Other headers have nothing to leak.
    for (const { name, fits, say } of credentials.length > 0 ? headPlaces : []) {
      const { fitting, texts } = write((text) => fits.test(text));
      if (texts.length === 0) continue;
      say(response, texts);
      note(name, fitting);
    }
    const { fitting, texts } = write(() => true);
    const [place = '', compose] =
      Object.entries(bodyPlaces)[Math.floor(turn / groups.length) % Object.keys(bodyPlaces).length] ?? [];
    if (passedOn) {
      // Trailers come after chunks alone.
      if ([204, 304].includes(passedOn.status)) response.removeHeader('trailer');
      else response.setHeader('transfer-encoding', 'chunked');
      return void response.setHeader('content-type', 'application/json').end(withEchoes(passedOn.body, texts));
    }
    if (credentials.length > 0) note(place, fitting);
    await send(response, compose?.(texts) ?? { bytes: Buffer.alloc(0) });
  });
  const { url, stop } = await listening(server);
  const addresses = Object.fromEntries(areaIds.map((area) => [area, `${url}/${area}`])) as Record<AreaId, string>;
  return Object.assign(service, { addresses, said, sent, stop });
}

export function credentialsOf({ headers }: IncomingMessage): string[] {
  const bearer = headers.authorization?.replace(/^bearer /i, '');
  return [bearer, headers['mm-api-key']].filter((value) => typeof value === 'string' && value !== '') as string[];
}

function passOn(request: IncomingMessage, body: Buffer, { addresses, credentials }: Behind) {
  const [, area = '', path = ''] = /^\/(\w+)(.*)$/.exec(request.url ?? '') ?? [];
  const headers = Object.entries(request.headers)
    .filter(([name]) => !['host', 'connection', 'content-length'].includes(name))
    .map(([name, value]): [string, string] => {
      const [, scheme = '', credential = ''] = /^(bearer )?(.*)$/i.exec(String(value)) ?? [];
      return [name, scheme + (credentials.get(credential) ?? credential)];
    });
  const asked = { method: request.method ?? 'GET', path, headers: Object.fromEntries(headers), body: body.toString() };
  return forwardTo(addresses[area as AreaId].replace(/\/$/, ''), asked);
}

/** A JSON object gets a field more, and one whose name is a text; anything else stays as it is. */
function withEchoes(body: string, texts: readonly string[]): string {
  const value: unknown = body === '' ? undefined : JSON.parse(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return body;
  return JSON.stringify({ ...value, echo: texts, ...Object.fromEntries(texts.map((text) => [text, 'as a key'])) });
}

export async function send(response: ServerResponse, { bytes, headers = {}, isSplit }: EchoedBody): Promise<void> {
  response.setHeaders(new Map(Object.entries(headers)));
  for (let at = 0; isSplit && at + PIECE < bytes.length; at += PIECE) {
    response.write(bytes.subarray(at, at + PIECE));
    await new Promise(setImmediate);
  }
  response.end(isSplit ? bytes.subarray(Math.floor((bytes.length - 1) / PIECE) * PIECE) : bytes);
}

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
