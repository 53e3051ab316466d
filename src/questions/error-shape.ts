import { mediaType, rawBody, rawText } from '../call/index.ts';
import { type Exchange, header } from '../http/index.ts';
import { headerSets, headers } from '../service/index.ts';
import { type Asker, NotAccepted, Undecided } from './asker/asker.ts';
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
    // A valid request that deletes a real item is no control for the shape of refusals.
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
      // The invented id may be the reason for the refusal.
      const isForId = id === 'deleteItem' && isAlike(exchange, await asker.twice(() => args));
      keep(isForId ? 'unknown id' : kind, exchange);
    }
    const credential = headerSets[entry.headerSet].find((name) => headers[name].kind === 'credential');
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
    const looks = [...refused].map(([kind, exchange]) => [kind, errorLook(exchange)] as const);
    const [[, first] = ['', '']] = looks;
    const isOne = looks.every(([, look]) => look === first);
    return { answer: isOne ? first : looks.map(([kind, look]) => `${kind}: ${look}`).join('; '), seen };
  },
};

/** No stored item is risked for a question about the shape of refusals. */
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

/** The names of a value's fields, down to the leaves: `{error: {code, message}}`. */
function namesOf(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return '[…]';
  if (typeof value !== 'object' || value === null) return depth === 0 ? JSON.stringify(value) : '';
  const fields = Object.entries(value).map(([name, child]) => {
    const inner = depth < 3 ? namesOf(child, depth + 1) : '';
    return inner ? `${name}: ${inner}` : name;
  });
  return `{${fields.join(', ')}}`;
}
