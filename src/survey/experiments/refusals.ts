import { type Exchange, header, isSuccess, mediaType, rawBody, rawText } from '../../client/index.ts';
import { headerSets, headers } from '../../spec/index.ts';
import type { Question } from '../asking/question.ts';
import { isAlike } from '../asking/reaction.ts';
import { Undecided } from '../facts/fact.ts';
import { every, oneQuestion } from './experiment.ts';

/** An undocumented method for the path, chosen to be harmless if the service accepts it. */
async function sendOtherMethod(question: Question): Promise<Exchange> {
  const { request, method } = question.entry;
  const args = request ? rawText('', null) : await harmless(question);
  const instead =
    method === 'GET'
      ? ({ method: 'PUT', effect: 'overwriting' } as const)
      : ({ method: 'GET', effect: 'read' } as const);
  return question.send(args, { instead });
}

/** No stored item is risked for a question about the shape of refusals. */
async function harmless({ id, runner }: Question): Promise<unknown> {
  return id === 'deleteItem' ? { id: runner.world.data.id() } : runner.valid(id);
}

export const methodNotAllowed = oneQuestion('method-not-allowed', every, async (question) => {
  const exchange = await sendOtherMethod(question);
  const { response } = exchange;
  // Another method's success need not have the shape of this operation's.
  if (response && isSuccess(question.id, response) && !question.runner.environment.successWhen)
    return { answer: `${exchange.request.method} is accepted with ${response.status}`, seen: [exchange] };
  return question.cameOut(exchange);
});

export const errorShape = oneQuestion('error-shape', every, async (question) => {
  const { id, entry, runner } = question;
  const refused = new Map<string, Exchange>();
  const keep = (kind: string, exchange: Exchange) => {
    if (question.outcome(exchange).kind === 'refused') refused.set(kind, exchange);
  };
  for (const [kind, value] of [['missing header'], ['wrong header', runner.world.data.id()]] as const) {
    const args = await harmless(question);
    const exchange = await question.send(args, { changes: new Map([['mm-client-id', value]]) });
    // The invented id may be the reason for the refusal.
    const isForId = id === 'deleteItem' && isAlike(exchange, await question.twice(() => args));
    keep(isForId ? 'unknown id' : kind, exchange);
  }
  const credential = headerSets[entry.headerSet].find((name) => headers[name].kind === 'credential');
  if (credential) {
    const changes = new Map([[credential, undefined]]);
    keep('no credential', await question.send(await harmless(question), { changes }));
  }
  if (entry.request) {
    keep('malformed JSON', await question.send(rawText('{')));
    keep('an empty record', await question.send(rawBody({})));
  }
  keep('wrong method', await sendOtherMethod(question));
  const seen = [...refused.values()];
  if (seen.length === 0) throw new Undecided('no invalid request was refused');
  if (seen.length === 1) throw new Undecided('only one kind of invalid request was refused', seen);
  const looks = [...refused].map(([kind, exchange]) => [kind, errorLook(exchange)] as const);
  const [[, first] = ['', '']] = looks;
  const isOne = looks.every(([, look]) => look === first);
  return { answer: isOne ? first : looks.map(([kind, look]) => `${kind}: ${look}`).join('; '), seen };
});

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
