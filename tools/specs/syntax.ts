import { parseSync } from 'oxc-parser';

/** A node of a syntax tree (ESTree with TypeScript), as far as any node has it. */
export interface Node {
  readonly type: string;
  /** Offsets into the text. */
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The tree of a text; of one with a syntax error, which the compiler names, an empty one. */
export function parsed(file: string, text: string): Node {
  return parseSync(file, text).program as unknown as Node;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Visits every node, its ancestors with it, the nearest first. */
export function walk(node: Node, visit: (node: Node, ancestors: readonly Node[]) => void, above: readonly Node[] = []) {
  visit(node, above);
  const within = [node, ...above];
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, within);
}

/** The text of a literal, or of a template without parts; `undefined` of anything else. */
export function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  const { quasis, expressions } = node as { readonly quasis?: readonly Node[]; readonly expressions?: readonly Node[] };
  if (node.type !== 'TemplateLiteral' || expressions?.length !== 0) return undefined;
  return (quasis?.[0]?.value as { readonly cooked?: string } | undefined)?.cooked;
}

/** `a.b.c` as `['a', 'b', 'c']`; `undefined` for anything that isn't just names. */
export function pathOf(node: unknown): string[] | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier') return [String(node.name)];
  if (node.type !== 'MemberExpression' || node.computed) return undefined;
  const { object, property } = node as unknown as { readonly object: Node; readonly property: Node };
  const before = pathOf(object);
  return before && [...before, String(property.name)];
}

/** What a call calls, as far as it is just names: `a.b`. */
export function callOf(node: Node): string | undefined {
  return node.type === 'CallExpression' ? pathOf(node.callee)?.join('.') : undefined;
}

/** The name of the property that a node is read for: `b` for the node `a` in `a.b`. */
export function memberOf(node: Node, parent: Node | undefined): string | undefined {
  if (parent?.type !== 'MemberExpression' || parent.object !== node || parent.computed) return undefined;
  return String((parent.property as Node).name);
}

export function argumentsOf(call: Node): readonly Node[] {
  return (call.arguments as readonly Node[] | undefined) ?? [];
}

/** The entries of an object, or of a pattern, whose keys are all written out; `undefined` of anything else. */
export function propertiesOf(node: Node | undefined): [key: string, value: Node][] | undefined {
  if (!node || !/^Object(Expression|Pattern)$/.test(node.type)) return undefined;
  const properties = (node.properties as readonly Node[]).flatMap(({ type, key, value, computed }) =>
    type === 'Property' && !computed && isNode(key) && isNode(value)
      ? [[String(key.name ?? key.value), value] satisfies [string, Node]]
      : [],
  );
  return properties.length === (node.properties as readonly Node[]).length ? properties : undefined;
}
