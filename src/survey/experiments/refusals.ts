import { asIsText, type Exchange, header, isSuccess, mediaType } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { Lab } from '../experiment-runner.ts';
import { Undecided } from '../fact.ts';
import { cameOut, type Experiment, type OperationEntry } from './experiment.ts';

/** A method that the document doesn't give the path, chosen to do no harm if it should be served. */
function otherMethod({ method }: OperationEntry) {
  return method === 'GET'
    ? ({ method: 'PUT', effect: 'overwriting' } as const)
    : ({ method: 'GET', effect: 'read' } as const);
}

async function sendOtherMethod(lab: Lab, entry: OperationEntry): Promise<Exchange> {
  const args = entry.request ? asIsText('', null) : await harmless(lab, entry.id);
  return lab.send(entry.id, args, { instead: otherMethod(entry) });
}

/** No stored item is put at risk for a question about methods. */
async function harmless(lab: Lab, id: CallableId): Promise<unknown> {
  return id === 'deleteItem' ? { id: lab.world.data.id() } : lab.valid(id);
}

export const methodNotAllowed: Experiment = {
  questions: () => ['method-not-allowed'],
  run: async (lab, entry) => {
    const exchange = await sendOtherMethod(lab, entry);
    const { answer } = exchange;
    // Another method's success need not look like this operation's.
    if (answer && isSuccess(entry.id, answer) && !lab.environment.successWhen)
      return { answer: `${exchange.request.method} is accepted with ${answer.status}`, seen: [exchange] };
    return cameOut(lab, entry.id, exchange);
  },
};

/** Provokes each kind of refusal anew and compares what they look like. */
export const errorShape: Experiment = {
  questions: () => ['error-shape'],
  run: async (lab, entry) => {
    const refused = new Map<string, Exchange>();
    const keep = (kind: string, exchange: Exchange) => {
      if (lab.outcome(entry.id, exchange).kind === 'refused') refused.set(kind, exchange);
    };
    const wrong = new Map<string, string | undefined>([['mm-client-id', lab.world.data.id()]]);
    const without = new Map<string, string | undefined>([['mm-client-id', undefined]]);
    keep('missing header', await lab.send(entry.id, await lab.valid(entry.id), { changes: without }));
    keep('wrong header', await lab.send(entry.id, await lab.valid(entry.id), { changes: wrong }));
    if (entry.request) keep('malformed JSON', await lab.send(entry.id, asIsText('{')));
    keep('wrong method', await sendOtherMethod(lab, entry));
    if (refused.size === 0) throw new Undecided('nothing that was spoiled was refused');
    const shapes = [...refused].map(([kind, exchange]) => ({ kind, look: errorLook(exchange) }));
    const isOne = new Set(shapes.map(({ look }) => look)).size === 1;
    const answer = isOne ? shapes[0]?.look : shapes.map(({ kind, look }) => `${kind}: ${look}`).join('; ');
    return { answer: answer ?? '', seen: [...refused.values()] };
  },
};

function errorLook({ answer }: Exchange): string {
  if (!answer) return 'no answer';
  const type = mediaType(header(answer, 'content-type'));
  const { json } = answer.body;
  if (!json.ok) return `${type ?? 'no content type'}, ${json.problem === 'empty' ? 'no body' : 'no JSON'}`;
  return `${type ?? 'no content type'} ${namesOf(json.value)}`;
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
