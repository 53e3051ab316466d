import { didYouMean } from '../../src/config/words.ts';
import { memberMistake, readTags, valueNames } from '../../src/scenario/index.ts';
import type { Effect } from '../../src/spec/index.ts';
import type { SpecFile } from './spec-file.ts';
import { argumentsOf, isNode, type Node, pathOf, textOf } from './syntax.ts';

const isFunction = (node: Node | undefined) => node !== undefined && /Function/.test(node.type);

/** Checks a call of `scenario`, or of `scenario.something`; what else a spec calls is left alone. */
export function checkDeclaration(spec: SpecFile, node: Node): void {
  const path = node.type === 'CallExpression' ? pathOf(node.callee) : undefined;
  if (path?.[0] !== 'scenario') return;
  if (path.length > 1) {
    const keys = propertiesOf(argumentsOf(node)[0]).map(([key]) => [key, true]);
    spec.keep(node, () => memberMistake(path.slice(1), Object.fromEntries(keys)));
    return;
  }
  const [titled, details, body] = argumentsOf(node);
  const literal = textOf(titled);
  const title = literal ?? (titled ? spec.sourceOf(titled).replaceAll('`', '') : '');
  if (literal !== undefined) spec.titles.push({ title, line: spec.lineOf(node) });
  if (isFunction(details) || details === undefined) {
    spec.add(node, 'no tags', { title });
    return;
  }
  const tags = tagsOf(details);
  if (tags) spec.keep(node, () => void readTags(title, tags));
  if (!body) spec.add(node, 'no body', { title });
  else if (isFunction(body)) checkParameter(spec, title, body, node);
}

/** The effect that the innermost scenario around a node declares, where its tags are literal. */
export function declaredAround(ancestors: readonly Node[]): Effect | undefined {
  const call = ancestors.find(
    (node) => node.type === 'CallExpression' && pathOf(node.callee)?.join('.') === 'scenario',
  );
  const tags = call && tagsOf(argumentsOf(call)[1]);
  if (!tags) return undefined;
  try {
    return readTags('', tags).effect;
  } catch {
    // The declaration is a mistake by itself.
    return undefined;
  }
}

function checkParameter(spec: SpecFile, title: string, body: Node, node: Node): void {
  const [parameter] = body.params as readonly Node[];
  if (!parameter) return;
  const properties = (parameter.properties ?? []) as readonly Node[];
  const isLiteral = properties.every(
    ({ type, value }) => type === 'Property' && isNode(value) && value.type === 'Identifier',
  );
  if (parameter.type !== 'ObjectPattern' || !isLiteral) {
    spec.add(node, 'no names taken', { title });
    return;
  }
  for (const { key } of properties) {
    const name = isNode(key) ? String(key.name ?? key.value) : '';
    if ((valueNames as readonly string[]).includes(name)) continue;
    spec.add(node, 'unknown fixture', { name, hint: didYouMean(name, valueNames), known: valueNames.join(', ') });
  }
}

/** The literal tags in the details of a scenario; `undefined` where they are computed. */
function tagsOf(details: Node | undefined): string[] | undefined {
  const properties = propertiesOf(details);
  const tag = properties.find(([key]) => key === 'tag')?.[1];
  const isWhole =
    details?.type === 'ObjectExpression' && (details.properties as readonly Node[]).length === properties.length;
  if (isWhole && !tag) return [];
  const one = textOf(tag);
  if (one !== undefined) return [one];
  if (tag?.type !== 'ArrayExpression') return undefined;
  const tags = (tag.elements as readonly (Node | null)[]).map(textOf);
  return tags.every((each) => each !== undefined) ? tags : undefined;
}

function propertiesOf(node: Node | undefined): [key: string, value: Node][] {
  if (node?.type !== 'ObjectExpression') return [];
  return (node.properties as readonly Node[]).flatMap(({ type, key, value, computed }) =>
    type === 'Property' && !computed && isNode(key) && isNode(value)
      ? [[String(key.name ?? key.value), value] as const]
      : [],
  ) as [string, Node][];
}
