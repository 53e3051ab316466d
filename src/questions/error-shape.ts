import { mediaType, rawBody, rawText } from '../call/index.ts';
import { type Exchange, header, parsedJson } from '../http/index.ts';
import { headerSets, headers } from '../service/index.ts';
import { type Answer, type Asker, NotAccepted, type OperationEntry, Undecided } from './asker/asker.ts';
import { isAlike } from './asker/reaction.ts';
import { every, once, type Question } from './question.ts';

export const errorShape: Question = {
  id: 'error-shape',
  of: once('error-shape', every),
  openIn: 'part 7: the error body is not shown',
  answers: 'the content type and the names of the fields; by kind of mistake where they differ',
  form: /./,
  broken: ({ was, now }) => [`refuses with ${now}`, `it refused with ${was}`],
  experiment: "invalid requests of several kinds: headers missing and wrong, no credential, bodies that can't be read",
  ask: async (asker) => {
    const { id, entry, requests } = asker;
    const refused = new Map<string, Exchange>();
    const unclear = new Set<string>();
    // If a control would delete a real item, none is sent, because this question is not important enough to lose an item.
    if (!asker.takesRealItem) await asker.withComparison();
    const control = requests.refusedControl(id)?.responses;
    const keep = (kind: string, exchange: Exchange) => {
      const found = asker.outcome(exchange);
      if (found.kind === 'refused' && !(control && isAlike(exchange, control))) refused.set(kind, exchange);
      if (found.kind === 'unclear') unclear.add(found.why);
    };
    for (const [kind, value] of [['missing header'], ['wrong header', requests.data.id()]] as const) {
      const args = await harmless(asker);
      const exchange = await asker.send(args, { changes: new Map([['mm-client-id', value]]) });
      // The service may refuse the request because of its invented id, not because of the header.
      const isForId = id === 'deleteItem' && isAlike(exchange, await asker.twice(() => args));
      keep(isForId ? 'unknown id' : kind, exchange);
    }
    const credential = credentialOf(entry);
    if (credential) {
      const changes = new Map([[credential, undefined]]);
      keep('no credential', await asker.send(await harmless(asker), { changes }));
    }
    if (entry.request) {
      keep('malformed JSON', await asker.send(rawText('{')));
      keep('an empty record', await asker.send(rawBody({})));
    }
    const seen = [...refused.values()];
    if (seen.length === 0 && control) throw new NotAccepted('a valid request is refused in the same way', [control[0]]);
    if (seen.length === 0 && unclear.size > 0)
      throw new Undecided(`the outcome of invalid requests is unclear: ${[...unclear].join('; ')}`);
    if (seen.length === 0) throw new Undecided('no invalid request was refused');
    if (seen.length === 1) throw new Undecided('only one kind of invalid request was refused', seen);
    return { answer: answerOf([...refused].map(([kind, exchange]) => ({ kind, exchange }))), seen };
  },
  hold,
};

/**
 * Checks the answer with refusals that the requests of other questions got. The service may refuse each kind of mistake in another form, so
 * each kind is checked separately. Refused deletions aren't used, because their reason may be an unknown item.
 */
async function hold(asker: Asker, answer: string): Promise<Answer> {
  const { id, entry, requests } = asker;
  const stated = looksIn(answer);
  const control = requests.refusedControl(id)?.responses;
  const amongThese = (exchanges: readonly Exchange[]) =>
    exchanges.flatMap((exchange) => {
      const kind = kindOf(asker, exchange);
      const look = kind && (stated.get(kind) ?? stated.get(''));
      const isOfKind = look && asker.outcome(exchange).kind === 'refused' && !(control && isAlike(exchange, control));
      return isOfKind ? [{ kind, look, exchange }] : [];
    });
  let found = amongThese(id === 'deleteItem' ? [] : requests.sent(id));
  const credential = credentialOf(entry);
  if (found.length === 0 && credential)
    found = amongThese([await asker.send(await harmless(asker), { changes: new Map([[credential, undefined]]) })]);
  if (found.length === 0) throw new Undecided('no refusal of a kind that the fact is about was seen');
  const others = found.filter(({ look, exchange }) => errorLook(exchange) !== look);
  if (others.length === 0) return { answer, seen: found.map(({ exchange }) => exchange) };
  return { answer: answerOf(others, found.length > others.length), seen: others.map(({ exchange }) => exchange) };
}

const kinds = ['missing header', 'wrong header', 'unknown id', 'no credential', 'malformed JSON', 'an empty record'];

/** The kind of mistake in a request; `undefined` if it is none of `kinds`. */
function kindOf({ entry, requests }: Asker, { request }: Exchange): string | undefined {
  const { 'mm-client-id': client, ...others } = request.headers;
  const credential = credentialOf(entry);
  if (client === undefined) return 'missing header';
  if (client !== requests.session.caller.clientId) return client ? 'wrong header' : undefined;
  if (credential && others[headers[credential].name] === undefined) return 'no credential';
  if (request.body === '{}') return 'an empty record';
  return request.body && parsedJson(request.body) === undefined ? 'malformed JSON' : undefined;
}

function credentialOf({ headerSet }: OperationEntry) {
  return headerSets[headerSet].find((name) => headers[name].kind === 'credential');
}

/**
 * The form of refusals in words: one form if it is the same for all refusals, otherwise a form for each kind of mistake. `isPart`: only
 * some kinds have changed their form, so the text always names the kind.
 */
function answerOf(refusals: readonly { readonly kind: string; readonly exchange: Exchange }[], isPart = false): string {
  const looks = new Map(refusals.map(({ kind, exchange }) => [kind, errorLook(exchange)]));
  const [first = '', ...others] = new Set(looks.values());
  return others.length === 0 && !isPart ? first : [...looks].map(([kind, look]) => `${kind}: ${look}`).join('; ');
}

/** The forms of refusals in an answer, by kind of mistake. If the answer states one form for all kinds, its key is `''`. */
function looksIn(answer: string): ReadonlyMap<string, string> {
  const parts = answer.split(new RegExp(`; (?=(?:${kinds.join('|')}): )`));
  const ofPart = new RegExp(`^(?:(${kinds.join('|')}): )?(.*)$`);
  return new Map(parts.map((part) => ofPart.exec(part) ?? []).map(([, kind = '', look = '']) => [kind, look]));
}

/** Arguments with which nothing is deleted, because this question is not important enough to lose a stored item. */
async function harmless({ id, requests }: Asker): Promise<unknown> {
  return id === 'deleteItem' ? { id: requests.data.id() } : requests.valid(id);
}

function errorLook({ response }: Exchange): string {
  if (!response) return 'no response';
  const type = mediaType(header(response, 'content-type')) ?? 'no content type';
  const { json } = response.body;
  if (!json.ok) return `${type}, ${json.problem === 'empty' ? 'no body' : 'no JSON'}`;
  return `${type} ${namesOf(json.value)}`;
}

/** The field names of a value, down to the leaves: `{error: {code, message}}`. */
function namesOf(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return '[…]';
  if (typeof value !== 'object' || value === null) return depth === 0 ? JSON.stringify(value) : '';
  const fields = Object.entries(value).map(([name, child]) => {
    const inner = depth < 3 ? namesOf(child, depth + 1) : '';
    return inner ? `${name}: ${inner}` : name;
  });
  return `{${fields.join(', ')}}`;
}
