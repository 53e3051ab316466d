import { text as readText } from 'node:stream/consumers';
import { isRecord, parsedJson } from '../../../http/index.ts';
import { http, listening } from '../../servers/listening.ts';

export interface Incoming {
  readonly method: string;
  /** The path without the query, still percent-encoded. */
  readonly path: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A text `body` is sent unchanged, any other value as JSON. `type` is the content type; null: none. */
export interface Outgoing {
  readonly status: number;
  readonly body?: unknown;
  readonly type?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body?: unknown): Outgoing => ({ status: 200, body });

export type StrangerHandler = (incoming: Incoming) => Outgoing;

export type Body = Record<string, unknown>;

export class Stopped extends Error {
  readonly status: number;
  readonly what: string;
  constructor(status: number, what = '') {
    super(what);
    this.status = status;
    this.what = what;
  }
}

export function serve(handler: StrangerHandler): ReturnType<typeof listening> {
  const server = http.createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const headers = request.headers as Record<string, string>;
    const answer = handler({ method, path: url.split('?')[0] ?? url, headers, text: await readText(request) });
    const { status, body, type } = answer;
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const given = type === undefined ? (text === '' ? null : 'application/json') : type;
    response.writeHead(status, { ...answer.headers, ...(given ? { 'content-type': given } : {}) }).end(text);
  });
  return listening(server);
}

/** The JSON object in a request; an object without fields if the body is empty. @throws Stopped if the body isn't a JSON object */
export function anyBody({ text }: Incoming): Body {
  const body = text === '' ? {} : parsedJson(text);
  if (!isRecord(body)) throw new Stopped(400, 'JSON');
  return body;
}

/** Makes a function like `anyBody` that also refuses, with this status, a body whose content type isn't JSON. @throws Stopped */
export const jsonBody =
  (...refusal: ConstructorParameters<typeof Stopped>) =>
  (incoming: Incoming): Body => {
    if (!/^application\/json\b/.test(incoming.headers['content-type'] ?? '')) throw new Stopped(...refusal);
    return anyBody(incoming);
  };
