import type { Agent, IncomingMessage } from 'node:http';
import type https from 'node:https';
import type { PeerCertificate, SecureContext } from 'node:tls';
import { pinOf, proxyHref, type Route } from './route.ts';
import type { HttpRequest, Transport } from './transport.ts';

// An `import` would read every export of the module, and so load a WebSocket client, which costs each process 40 ms.
const http = process.getBuiltinModule('node:http');
/** Loaded on demand, because many processes send requests only to loopback, without TLS. */
const tls = () => process.getBuiltinModule('node:tls');
const libraryFor = ({ protocol }: URL) => (protocol === 'https:' ? process.getBuiltinModule('node:https') : http);

/**
 * How long to try one address of a host before the next address, in ms. The system repeats a lost first packet after a second, so a second
 * of silence doesn't mean that an address is dead. Node's default of 250 ms would give up on any slow network.
 */
const ADDRESS_ATTEMPT_MS = 2_000;

/**
 * How long to keep an idle connection open, in ms: less than common services do. Some services close it after two seconds without notice, and a
 * request on a connection that is being closed looks like a failure.
 */
const KEPT_OPEN_MS = 1_000;

const agentOptions = {
  keepAlive: true,
  timeout: KEPT_OPEN_MS,
  autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
};

/** Node's HTTP client with kept-open connections. It uses a proxy only if the route names one. */
export class NodeTransport implements Transport {
  readonly #route: Route | undefined;
  /** Agents by protocol and proxy. */
  readonly #agents = new Map<string, Agent>();

  constructor(route?: Route) {
    this.#route = route;
  }

  async request({ url, method, headers, body, signal, onNewConnection }: HttpRequest): Promise<undefined> {
    const agent = this.#agentFor(url);
    if (onNewConnection) for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    else if (Object.keys(agent.freeSockets).length > 0) await closingSeen();
    const options = {
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path: url.pathname + url.search,
      method,
      headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
      agent,
    };
    return new Promise((resolve, reject) => {
      let hasResponse = false;
      let hasEnded = false;
      const request = libraryFor(url).request(options, (response) => {
        hasResponse = true;
        response.on('error', reject);
        response.on('end', () => {
          hasEnded = true;
          resolve(undefined);
        });
        response.resume();
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        // A service may respond and close the connection before it has read the whole request body. In this case the error is ignored,
        // because the response is there.
        if (!hasResponse || !['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) reject(error);
      });
      request.on('close', () => {
        if (!hasEnded) reject(new Error('closed'));
      });
      // The signal isn't an option of the request. If it were, Node would add a dozen listeners to every request.
      const stop = () => request.destroy(new Error('stopped'));
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop);
      // With the body as an argument of `end`, Node sends headers and body in one write.
      request.end(body);
    });
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  #agentFor(url: URL): Agent {
    const key = `${url.protocol} ${this.#route?.proxyFor(url)?.url.href ?? ''}`;
    const agent = this.#agents.get(key) ?? makeAgent(url, this.#route);
    this.#agents.set(key, agent);
    return agent;
  }
}

export function makeAgent(url: URL, route: Route | undefined, changes: https.AgentOptions = {}): Agent {
  const proxy = route?.proxyFor(url);
  const href = proxy && proxyHref(proxy);
  const options = {
    ...agentOptions,
    ...changes,
    ...(href ? { proxyEnv: { HTTP_PROXY: href, HTTPS_PROXY: href } } : {}),
  };
  const agent =
    url.protocol === 'https:'
      ? new (process.getBuiltinModule('node:https').Agent)({
          ...(route && Object.keys(route.tls).length > 0 ? { secureContext: contextOf(route.tls) } : {}),
          ...options,
        })
      : new http.Agent(options);
  if (route && route.pins.length > 0) pin(agent, route);
  return agent;
}

/** Whether Node accepts an address as a proxy. A Node that supports proxies refuses a port above 65535; an older one ignores the option. */
export function isTakenAsProxy(href: string): boolean {
  try {
    new http.Agent({ proxyEnv: { HTTP_PROXY: href } });
    return true;
  } catch {
    return false;
  }
}

type Connect = (options: https.RequestOptions, ...rest: never[]) => unknown;

/** Connects an agent to the pinned addresses of a route. Request, TLS and pooling still use the original host name. */
function pin(agent: Agent, route: Route): void {
  const made = agent as unknown as { createConnection: Connect };
  const connect = made.createConnection.bind(agent);
  made.createConnection = (options, ...rest) => {
    const { host = '', port } = options;
    const to = pinOf(route, String(host), String(port));
    const named = {
      ...to,
      checkServerIdentity: (_: string, certificate: PeerCertificate) =>
        tls().checkServerIdentity(String(host), certificate),
    };
    return connect(to ? { ...options, ...named } : options, ...rest);
  };
}

/** The client's certificate (DER), if there is one. @throws Error if the given certificates, key and passphrase can't be used together */
export function ownCertificate(given: Route['tls']): unknown {
  // Node offers no other way to read a certificate from PKCS#12.
  return contextOf(given).context.getCertificate?.();
}

/** TLS contexts, one for each route and not for each connection, because reading the machine's trusted authorities takes 20 ms. */
const contexts = new WeakMap<Route['tls'], SecureContext>();

function contextOf(given: Route['tls']): SecureContext {
  const { ca, cert, key, pfx, passphrase } = given;
  const options = () => ({
    ...(ca ? { ca: [...tls().getCACertificates('default'), ca] } : {}),
    ...(cert ? { cert } : {}),
    ...(pfx ? { pfx } : {}),
    ...(key ? { key: key.reveal() } : {}),
    ...(passphrase ? { passphrase: passphrase.reveal() } : {}),
  });
  const context = contexts.get(given) ?? tls().createSecureContext(options());
  contexts.set(given, context);
  return context;
}

/**
 * Lets the event loop read pending data of kept-open connections, above all that the other side closed them. A service that closes each
 * connection after a response, without notice, has done so by now. One turn isn't enough, because it may begin before the event loop reads
 * data.
 */
function closingSeen(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
}

export interface RoutedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal | undefined;
  /** The agent for the connection; absent: a new one for this request alone. */
  readonly agent?: Agent;
}

/**
 * Sends one request to a helper, such as a webhook or a collector, and not to the service, over `route`. Doesn't follow redirects. Rejects with the
 * signal's reason, or with an error whose cause is the connection's error.
 */
export function fetchByRoute(
  url: URL,
  { method = 'GET', headers = {}, body, signal, agent }: RoutedRequest,
  route?: Route,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const by = agent ?? makeAgent(url, route, { keepAlive: false });
    const options = { method, headers, agent: by, ...(signal ? { signal } : {}) };
    const request = libraryFor(url).request(url, options, resolve);
    request.on('error', (error) => reject(signal?.aborted ? signal.reason : new Error('no answer', { cause: error })));
    request.end(body);
  });
}

/** The limit of a response from a helper: more than any helper needs to send. */
const LONGEST_ANSWER_BYTES = 1_000_000;

export class AnswerTooLong extends Error {
  constructor() {
    super(`sent more than ${LONGEST_ANSWER_BYTES / 1_000_000} MB`);
  }
}

/** The body of a response from `fetchByRoute` as text, without a byte order mark. @throws AnswerTooLong as soon as the body exceeds the limit */
export async function shortAnswer(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > LONGEST_ANSWER_BYTES) throw new AnswerTooLong();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
