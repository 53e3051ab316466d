import { Call } from '../../src/client/index.ts';
import { type AreaId, areaIds, type CallableId, operation, operationIds, readProfile } from '../../src/spec/index.ts';
import { argumentsOf, memberOf, type Node, pathOf, textOf } from './syntax.ts';

/** Methods that give another call, which is to be judged. */
const modifiers = ['without', 'withHeader', 'withMethod'];

/** Methods that send a call and judge the response. */
const judgements = Object.getOwnPropertyNames(Call.prototype).filter(
  (name) => name !== 'constructor' && !modifiers.includes(name),
);

const entries = [...operationIds.map((id) => ({ ...operation(id), id: id as CallableId })), readProfile];

export type Called = NonNullable<ReturnType<typeof calledBy>>;

/**
 * The operation that a call expression calls: `friends.block(…)`, `asFriend.friends.block(…)`, `call('block', …)`; `undefined` if it calls
 * something else.
 */
export function calledBy(node: Node, ancestors: readonly Node[]) {
  const named = nameOf(node);
  if (!named) return undefined;
  let [end, above] = [node, ancestors];
  /** Of a judgement: what it is, and its arguments. */
  let judged: { readonly by: string; readonly node: Node } | undefined;
  for (;;) {
    const [member, call] = above;
    const name = memberOf(end, member);
    if (!name || call?.type !== 'CallExpression' || call.callee !== member) break;
    if (judgements.includes(name)) judged = { by: name, node: call };
    else if (!modifiers.includes(name)) break;
    [end, above] = [call, above.slice(2)];
    if (judged) break;
  }
  const known = entries.filter(({ area }) => area === named.area).map(({ id }) => id);
  const effect = entries.find(({ id, area }) => id === named.name && (named.area ?? area) === area)?.effect;
  return {
    ...named,
    known,
    /** Absent where there is no such operation. */
    effect,
    judged,
    /** The outermost call of the chain, with the node that holds it, and what stands around that. */
    end,
    holder: above[0],
    around: above[1],
  };
}

function nameOf(node: Node): { readonly area?: AreaId; readonly name: string } | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const path = pathOf(node.callee);
  if (path?.length === 1 && path[0] === 'call') {
    const name = textOf(argumentsOf(node)[0]);
    return name === undefined ? undefined : { name };
  }
  const [name = '', area] = (path ?? []).toReversed();
  const isArea =
    areaIds.includes(area as AreaId) && (path?.length === 2 || (path?.length === 3 && /^as[A-Z]/.test(path[0] ?? '')));
  return isArea ? { area: area as AreaId, name } : undefined;
}
