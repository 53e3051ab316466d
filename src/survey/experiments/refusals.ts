import { type Exchange, header, isSuccess, mediaType, rawBody, rawText } from '../../client/index.ts';
import { type CallableId, headerSets, headers } from '../../spec/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import { isAlike } from '../asking/reaction.ts';
import { Undecided } from '../facts/fact.ts';
import { cameOut, type Experiment, type OperationEntry } from './experiment.ts';
import { twice } from './headers.ts';

/** An undocumented method for the path, chosen to be harmless if the service accepts it. */
async function sendOtherMethod(runner: ExperimentRunner, entry: OperationEntry): Promise<Exchange> {
  const args = entry.request ? rawText('', null) : await harmless(runner, entry.id);
  const isGet = entry.method === 'GET';
  const instead = isGet
    ? ({ method: 'PUT', effect: 'overwriting' } as const)
    : ({ method: 'GET', effect: 'read' } as const);
  return runner.send(entry.id, args, { instead });
}

/** No stored item is risked for a question about the shape of refusals. */
async function harmless(runner: ExperimentRunner, id: CallableId): Promise<unknown> {
  return id === 'deleteItem' ? { id: runner.world.data.id() } : runner.valid(id);
}

export const methodNotAllowed: Experiment = {
  questions: () => ['method-not-allowed'],
  run: async (runner, entry) => {
    const exchange = await sendOtherMethod(runner, entry);
    const { response } = exchange;
    // Another method's success need not have the shape of this operation's.
    if (response && isSuccess(entry.id, response) && !runner.environment.successWhen)
      return { answer: `${exchange.request.method} is accepted with ${response.status}`, seen: [exchange] };
    return cameOut(runner, entry.id, exchange);
  },
};

/** Provokes each kind of refusal and compares their shapes. */
export const errorShape: Experiment = {
  questions: () => ['error-shape'],
  run: async (runner, entry) => {
    const refused = new Map<string, Exchange>();
    const keep = (kind: string, exchange: Exchange) => {
      if (runner.outcome(entry.id, exchange).kind === 'refused') refused.set(kind, exchange);
    };
    for (const [kind, value] of [['missing header'], ['wrong header', runner.world.data.id()]] as const) {
      const changes = new Map([['mm-client-id', value]]);
      const args = await harmless(runner, entry.id);
      const exchange = await runner.send(entry.id, args, { changes });
      // The invented id may be the reason for the refusal.
      const isForId = entry.id === 'deleteItem' && isAlike(exchange, await twice(runner, entry.id, args));
      keep(isForId ? 'unknown id' : kind, exchange);
    }
    const [credential] = headerSets[entry.headerSet].filter((name) => headers[name].kind === 'credential');
    if (credential)
      keep(
        'no credential',
        await runner.send(entry.id, await harmless(runner, entry.id), { changes: new Map([[credential, undefined]]) }),
      );
    if (entry.request) {
      keep('malformed JSON', await runner.send(entry.id, rawText('{')));
      keep('an empty record', await runner.send(entry.id, rawBody({})));
    }
    keep('wrong method', await sendOtherMethod(runner, entry));
    if (refused.size === 0) throw new Undecided('no invalid request was refused');
    if (refused.size === 1) throw new Undecided('only one kind of invalid request was refused', [...refused.values()]);
    const shapes = [...refused].map(([kind, exchange]) => ({ kind, look: errorLook(exchange) }));
    const isOne = new Set(shapes.map(({ look }) => look)).size === 1;
    const answer = isOne ? shapes[0]?.look : shapes.map(({ kind, look }) => `${kind}: ${look}`).join('; ');
    return { answer: answer ?? '', seen: [...refused.values()] };
  },
};

function errorLook({ response }: Exchange): string {
  if (!response) return 'no response';
  const type = mediaType(header(response, 'content-type'));
  const { json } = response.body;
  if (!json.ok) return `${type ?? 'no content type'}, ${json.problem === 'empty' ? 'no body' : 'no JSON'}`;
  return `${type ?? 'no content type'} ${namesOf(json.value)}`;
}

/** The names of a value's fields, down to the leaves: `{error: {code, message}}`. */
export function namesOf(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return '[…]';
  if (typeof value !== 'object' || value === null) return depth === 0 ? JSON.stringify(value) : '';
  const fields = Object.entries(value).map(([name, child]) => {
    const inner = depth < 3 ? namesOf(child, depth + 1) : '';
    return inner ? `${name}: ${inner}` : name;
  });
  return `{${fields.join(', ')}}`;
}
