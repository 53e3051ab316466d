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

/**
 * The operation that a call expression calls: `friends.block(…)`, `asFriend.friends.block(…)`, `call('block', …)`; `undefined` if it calls
 * something else.
 */
export function calledBy(node: Node, ancestors: readonly Node[]) {
  const entry = entryOf(node);
  if (!entry) return undefined;
  let [end, above] = [node, ancestors];
  let judged: string | undefined;
  while (!judged) {
    const [member, call] = above;
    const name = memberOf(end, member);
    if (!name || call?.type !== 'CallExpression' || call.callee !== member) break;
    if (judgements.includes(name)) judged = name;
    else if (!modifiers.includes(name)) break;
    [end, above] = [call, above.slice(2)];
  }
  const { id, effect } = entry;
  // `end`: the outermost call of the chain, with the node that holds it, and what stands around that.
  return { id, effect, judged, end, holder: above[0], around: above[1] };
}

function entryOf(node: Node) {
  if (node.type !== 'CallExpression') return undefined;
  const path = pathOf(node.callee) ?? [];
  if (path.length === 1 && path[0] === 'call') {
    const name = textOf(argumentsOf(node)[0]);
    return entries.find(({ id }) => id === name);
  }
  const [name = '', named, user] = path.toReversed();
  const isOfArea = areaIds.includes(named as AreaId) && path.length <= 3 && (!user || /^as[A-Z]/.test(user));
  return isOfArea ? entries.find(({ id, area }) => id === name && area === named) : undefined;
}
