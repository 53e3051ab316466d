import type { IncomingHttpHeaders } from 'node:http';
import type { Service } from '../../reference-service/index.ts';
import { isRecord } from '../http/index.ts';
import { interrupted, spellings } from './secret-spellings.ts';
import { startProxy } from './servers/wire-proxy.ts';

export type EchoingService = Awaited<ReturnType<typeof startEchoingService>>;

/**
 * A harmless text next to each repeated credential. A search of an output must find this text: a search that misses it could miss a
 * credential, too.
 */
export const DECOY = 'decoy+service/5f0c9d?a=~71&ab<e';
/** Without 401 and 403, because a run stops using a refused credential. */
const statuses = [500, 200, 422] as const;

/** Ways in which software writes a secret, such as percent-encoded or with line breaks inside. */
export const secretForms = Object.entries({ ...spellings, ...interrupted }).map(([name, encode]) => ({ name, encode }));
export type SecretForm = (typeof secretForms)[number];

/** The forms of a secret in groups of three. The texts of one group fit into a truncated text, and into the headers of a response. */
export const groupsOf = (forms: readonly SecretForm[]) =>
  Array.from({ length: Math.ceil(forms.length / 3) }, (_, index) => forms.slice(index * 3, (index + 1) * 3));

export const printable = /^[\x20-\x7e]+$/;
const groups = groupsOf(secretForms);

/**
 * A service that repeats the credentials of each request in its response, each time in other forms, until every form was used. By
 * `treatment`:
 * - `break`: it responds without the service `behind` it, and breaks the specification.
 * - `decorate`: it replaces each credential by the one in `known`, forwards the request to the service `behind` it, and adds the replaced
 *   credentials to the response.
 */
export async function startEchoingService(behind: Service, known: ReadonlyMap<string, string>) {
  const saidNames = new Set<string>();
  const sent = new Set<string>();
  const service = { treatment: 'break' as 'break' | 'decorate' };
  const knownIn = (header: string) =>
    header.replace(/(?<=^bearer |^)(?!bearer ).+$/i, (each) => known.get(each) ?? each);
  let count = 0;
  const { addresses, stop } = await startProxy(behind, async (asked, forward) => {
    const credentials = credentialsOf(asked);
    // A request without a credential uses up no forms, because its response could not show them.
    const turn = credentials.length > 0 ? count++ : count;
    const forms = groups[turn % groups.length] ?? [];
    for (const each of credentials) sent.add(each);
    for (const { name } of credentials.length > 0 ? forms : []) saidNames.add(name);
    const texts = credentials.flatMap((value) => [DECOY, ...forms.map(({ encode }) => encode(value))]);
    const headers = Object.fromEntries(Object.entries(asked.headers).map(([name, value]) => [name, knownIn(value)]));
    const passedOn = service.treatment === 'decorate' ? await forward({ ...asked, headers }) : undefined;
    const isPage = !passedOn && turn % 2 === 1;
    return {
      status: passedOn?.status ?? statuses[turn % statuses.length] ?? 500,
      type: isPage ? 'text/html' : 'application/json',
      ...echoesInHead(texts),
      body: isPage
        ? texts.map((each) => `<p title="${each}">${each}</p>`).join('')
        : withEchoes(passedOn?.body ?? '{}', texts),
    };
  });
  return Object.assign(service, { addresses, said: saidNames, sent, stop });
}

export function credentialsOf({ headers }: { readonly headers: IncomingHttpHeaders }): string[] {
  const bearer = headers.authorization?.replace(/^bearer /i, '');
  return [bearer, headers['mm-api-key']].filter((value) => typeof value === 'string' && value !== '') as string[];
}

function echoesInHead(texts: readonly string[]) {
  const fitting = texts.filter((each) => printable.test(each));
  if (fitting.length === 0) return {};
  const headers = {
    ...Object.fromEntries(fitting.map((each, index) => [`x-echo-${index}`, each])),
    location: `https://elsewhere.test/?token=${fitting.join('&token=')}`,
    'set-cookie': `session=${fitting.at(-1)}; Path=/`,
  };
  return { statusText: fitting.join(' '), headers };
}

/** Adds `texts` to a JSON object: all of them in one field, and each as the name of a field. Any other body stays unchanged. */
function withEchoes(body: string, texts: readonly string[]): string {
  const value: unknown = body === '' ? undefined : JSON.parse(body);
  if (!isRecord(value)) return body;
  return JSON.stringify({ ...value, echo: texts, ...Object.fromEntries(texts.map((each) => [each, 'as a key'])) });
}
