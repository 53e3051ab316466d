import { lineText, mistakeText } from '../../src/client/index.ts';
import { readTags } from '../../src/scenario/index.ts';
import { type Effect, gravest, operation } from '../../src/spec/index.ts';
import { textsOf } from '../sources.ts';
import { calledBy } from './operations-called.ts';
import { type Found, foundText, SpecFile } from './spec-file.ts';
import {
  argumentsOf,
  callOf,
  isNode,
  memberOf,
  type Node,
  parsed,
  pathOf,
  propertiesOf,
  textOf,
  walk,
} from './syntax.ts';

const sleepers = ['setTimeout', 'setInterval', 'waitForTimeout'];

export function specComplaints(): string[] {
  return mistakesOfSpecs(textsOf(['tests/**/*.spec.ts', 'tests/**/*-cases.ts'])).map(foundText);
}

/** The mistakes that the syntax of specs shows and their types don't, by file and line. */
export function mistakesOfSpecs(texts: ReadonlyMap<string, string>): Found[] {
  const specs = [...texts].map(([file, text]) => read(file, text));
  return [...specs.flatMap(({ found }) => found), ...namesakes(specs)].sort(
    (a, b) => a.line.file.localeCompare(b.line.file) || a.line.line - b.line.line,
  );
}

function read(file: string, text: string): SpecFile {
  const spec = new SpecFile(file, text);
  walk(parsed(file, text), (node, ancestors) => {
    checkImport(spec, node);
    checkWait(spec, node, ancestors);
    checkClaim(spec, node, ancestors);
    checkOperation(spec, node, ancestors);
    const called = callOf(node);
    if (called === 'scenario') checkScenario(spec, node);
    if (called === 'unwritten') spec.add(node, 'unwritten', { what: textOf(argumentsOf(node)[1]) ?? '…' });
  });
  return spec;
}

function namesakes(specs: readonly SpecFile[]): Found[] {
  const first = new Map<string, string>();
  return specs.flatMap(({ titles }) =>
    titles.flatMap(({ title, line }) => {
      const other = first.get(title);
      if (!other) first.set(title, lineText(line));
      return other ? [{ mistake: 'same title', line, text: mistakeText('same title', { title, other }) } as const] : [];
    }),
  );
}

/** A spec imports the project's own files alone; which of them, `npm run check` holds with the layers. */
function checkImport(spec: SpecFile, node: Node): void {
  if (/^(Import|Export\w+)(Declaration|Expression)$/.test(node.type)) {
    const module = textOf(node.source);
    if (module === undefined || module.startsWith('.')) return;
    if (/^(node:)?timers\b/.test(module)) spec.add(node, 'sleep', { call: module });
    else spec.add(node, 'foreign import', { module });
  }
  const called = callOf(node) ?? '';
  if (/^((globalThis\.)?fetch|require)$/.test(called)) spec.add(node, 'foreign import', { module: `${called}(…)` });
}

/** Fixed waits, and loops until something passes. */
function checkWait(spec: SpecFile, node: Node, ancestors: readonly Node[]): void {
  const retry = (call: string) => spec.add(node, 'retry', { call });
  if (node.type === 'WhileStatement' || node.type === 'DoWhileStatement') retry('while (…)');
  if (node.type === 'ForStatement' && !node.test) retry('for (;;)');
  const isLoop = ({ type }: Node) => /^(For|While|DoWhile)/.test(type);
  if (node.type === 'TryStatement' && ancestors.some(isLoop)) retry('try in a loop');
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return;
  const path = pathOf(node.callee) ?? [];
  const name = path.at(-1) ?? String((node.callee.property as Node | undefined)?.name);
  if (sleepers.includes(name) && path[0] !== 'scenario') spec.add(node, 'sleep', { call: `${name}(…)` });
  if (name === 'toPass') retry('toPass(…)');
}

/** `expect(response, claim).toHold(…)`: the specification shows no fields of responses. */
function checkClaim(spec: SpecFile, node: Node, [member, next]: readonly Node[]): void {
  if (callOf(node) !== 'expect') return;
  const claim = textOf(argumentsOf(node)[1]);
  // After `.not`, too.
  const isHeld = [memberOf(node, member), member && memberOf(member, next)].includes('toHold');
  if (isHeld && claim && !claim.startsWith('assumed: ')) spec.add(node, 'documented too much', { claim });
}

/** A call of an operation: its scenario declares its effect, and its expectation is there and awaited. */
function checkOperation(spec: SpecFile, node: Node, ancestors: readonly Node[]): void {
  const called = calledBy(node, ancestors);
  if (!called) return;
  const { id, effect, judged, end, holder, around } = called;
  const declared = declaredAround(ancestors);
  if (declared && gravest([effect, declared]) !== declared)
    spec.add(node, 'effect beyond the tag', { operation: id, effect, declared });
  const isDropped =
    holder?.type === 'ExpressionStatement' ||
    (holder?.type === 'UnaryExpression' && around?.type === 'ExpressionStatement');
  if (judged && isDropped) spec.add(end, 'not awaited', { operation: id });
  if (!judged && (isDropped || holder?.type === 'AwaitExpression')) spec.add(node, 'no expectation', { operation: id });
}

/** The effect that the innermost scenario around a node declares, where its tags are literal. */
function declaredAround(ancestors: readonly Node[]): Effect | undefined {
  const call = ancestors.find((node) => callOf(node) === 'scenario');
  const tags = call && tagsOf(argumentsOf(call)[1]);
  try {
    return tags && readTags('', tags).effect;
  } catch {
    // The declaration is a mistake by itself.
    return undefined;
  }
}

/** A call of `scenario`: its title, its tags, what it takes, and that it declares clean-up where it must. */
function checkScenario(spec: SpecFile, node: Node): void {
  const [titled, details, body] = argumentsOf(node);
  const literal = textOf(titled);
  const title = literal ?? (titled ? spec.sourceOf(titled).replaceAll('`', '') : '');
  if (literal !== undefined) spec.titles.push({ title, line: spec.lineOf(node) });
  const tags = tagsOf(details);
  if (tags) spec.keep(node, () => readTags(title, tags));
  const [parameter] = (body?.params ?? []) as readonly Node[];
  const names = propertiesOf(parameter);
  if (parameter && !names?.every(([, value]) => value.type === 'Identifier'))
    spec.add(node, 'no names taken', { title });

  let declares = false;
  const changes: { readonly operation: string; readonly area: string; readonly undo: string }[] = [];
  walk(node, (inner, ancestors) => {
    if (callOf(inner)?.startsWith('defer')) declares = true;
    const { id, judged } = calledBy(inner, ancestors) ?? {};
    if (!id || id === 'readProfile' || !judged || judged === 'isRefused') return;
    const { area, undo } = operation(id);
    if (undo) changes.push({ operation: id, area, undo });
  });
  const [first] = changes;
  if (first && !declares) spec.add(node, 'no clean-up', first);
}

/** The literal tags in the details of a scenario; `undefined` where they are computed. */
function tagsOf(details: Node | undefined): string[] | undefined {
  const properties = propertiesOf(details);
  const tag = properties?.find(([key]) => key === 'tag')?.[1];
  if (!tag) return properties && [];
  const tags = (tag.type === 'ArrayExpression' ? (tag.elements as readonly Node[]) : [tag]).map(textOf);
  return tags.every((each) => each !== undefined) ? tags : undefined;
}
