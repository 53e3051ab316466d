import { gradeOf, lineText, mistakeText, undocumented } from '../../src/client/index.ts';
import { didYouMean } from '../../src/config/words.ts';
import { matchers } from '../../src/scenario/index.ts';
import { gravest, operation, operationIds } from '../../src/spec/index.ts';
import { complain, textsOf } from '../check-files.ts';
import { type Called, calledBy } from './operations-called.ts';
import { checkDeclaration, declaredAround } from './scenarios-declared.ts';
import { type Found, foundText, SpecFile } from './spec-file.ts';
import { argumentsOf, isNode, memberOf, type Node, parsed, pathOf, textOf, walk } from './syntax.ts';

const matcherNames = Object.keys(matchers);
const sleepers = ['setTimeout', 'setInterval', 'waitForTimeout'];

/** The mistakes that the syntax of specs shows, by file and line. */
export function mistakesOfSpecs(texts: ReadonlyMap<string, string>): Found[] {
  const specs = [...texts].map(([file, text]) => read(file, text));
  return [...specs.flatMap(({ found }) => found), ...namesakes(specs)].sort(
    (a, b) => a.line.file.localeCompare(b.line.file) || a.line.line - b.line.line,
  );
}

function read(file: string, text: string): SpecFile {
  const spec = new SpecFile(file, text);
  const { program, problem } = parsed(file, text);
  if (problem) {
    spec.add(problem.start, 'does not load', { error: `SyntaxError: ${problem.message}` });
    return spec;
  }
  const responses = new Set<string>();
  walk(program, (node, ancestors) => {
    checkImport(spec, node);
    checkDeclaration(spec, node);
    checkCleanUp(spec, node);
    checkWait(spec, node, ancestors);
    checkExpectation(spec, node, ancestors);
    checkOperation(spec, calledBy(node, ancestors), node, ancestors, responses);
    checkProperty(spec, node, responses);
    if (node.type === 'CallExpression' && pathOf(node.callee)?.join('.') === 'unwritten')
      spec.add(node, 'unwritten', { what: textOf(argumentsOf(node)[1]) ?? '…' });
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
  if (node.type !== 'CallExpression') return;
  const called = pathOf(node.callee)?.join('.') ?? '';
  if (/^((globalThis\.)?fetch|require)$/.test(called)) spec.add(node, 'foreign import', { module: `${called}(…)` });
}

/** Fixed waits, and loops until something passes. */
function checkWait(spec: SpecFile, node: Node, ancestors: readonly Node[]): void {
  const retry = (call: string) => spec.add(node, 'retry', { call });
  if (node.type === 'WhileStatement' || node.type === 'DoWhileStatement') retry('while (…)');
  if (node.type === 'ForStatement' && !node.test) retry('for (;;)');
  const isLoop = ({ type }: Node) => /^(For|While|DoWhile)/.test(type);
  if (node.type === 'TryStatement' && ancestors.some(isLoop)) retry('try in a loop');
  if (node.type !== 'CallExpression') return;
  const path = pathOf(node.callee) ?? [];
  const name = path.at(-1) ?? (isNode(node.callee) ? String((node.callee.property as Node | undefined)?.name) : '');
  if (sleepers.includes(name) && path[0] !== 'scenario') spec.add(node, 'sleep', { call: `${name}(…)` });
  if (name === 'toPass') retry('toPass(…)');
}

/** `expect(response, claim)`, and the matcher that it ends in. */
function checkExpectation(spec: SpecFile, node: Node, ancestors: readonly Node[]): void {
  if (node.type !== 'CallExpression' || pathOf(node.callee)?.join('.') !== 'expect') return;
  const [, stated] = argumentsOf(node);
  const claim = textOf(stated);
  if (!stated || (claim !== undefined && !gradeOf(claim))) spec.add(node, 'no grade', { call: 'expect(…)' });
  const not = memberOf(node, ancestors[0]) === 'not';
  const matcher = not ? memberOf(ancestors[0] as Node, ancestors[1]) : memberOf(node, ancestors[0]);
  if (matcher === undefined) return;
  if (!matcherNames.includes(matcher))
    spec.add(node, 'unknown matcher', {
      matcher,
      hint: didYouMean(matcher, matcherNames),
      known: matcherNames.join(', '),
    });
  if (matcher === 'toHold' && claim && !claim.startsWith('assumed: ')) spec.add(node, 'documented too much', { claim });
}

/** A call of an operation: there is such an operation, its scenario declares its effect, and its expectation is awaited. */
function checkOperation(
  spec: SpecFile,
  called: Called | undefined,
  node: Node,
  ancestors: readonly Node[],
  responses: Set<string>,
): void {
  if (!called) return;
  const { area, name, effect, known, judged, end, holder, around } = called;
  if (!effect) {
    if (area)
      spec.add(node, 'misspelt operation', { area, name, hint: didYouMean(name, known), known: known.join(', ') });
    return;
  }
  const declared = declaredAround(ancestors);
  if (declared && gravest([effect, declared]) !== declared)
    spec.add(node, 'effect beyond the tag', { operation: name, effect, declared });
  const isAwaited = holder?.type === 'AwaitExpression';
  const isDropped =
    holder?.type === 'ExpressionStatement' ||
    (holder?.type === 'UnaryExpression' && around?.type === 'ExpressionStatement');
  if (!judged) {
    if (isAwaited || isDropped) spec.add(node, 'no expectation', { operation: name });
    return;
  }
  if (isDropped) spec.add(end, 'not awaited', { operation: name });
  const [first] = argumentsOf(judged.node);
  const claim = textOf(first);
  if (claim !== undefined && !gradeOf(claim)) spec.add(judged.node, 'no grade', { call: `the claim of ${name}(…)` });
  // What the response is called from here on.
  if (judged.by === 'eventually' && first && /Function/.test(first.type))
    noteNames(spec, (first.params as readonly Node[])[0], responses);
  if (isAwaited && around?.type === 'VariableDeclarator') noteNames(spec, around.id as Node, responses);
}

/** A scenario that makes a change which another operation undoes, and nowhere declares clean-up. */
function checkCleanUp(spec: SpecFile, node: Node): void {
  if (node.type !== 'CallExpression' || pathOf(node.callee)?.join('.') !== 'scenario') return;
  let declares = false;
  const changes: { readonly operation: string; readonly area: string; readonly undo: string }[] = [];
  walk(node, (inner, ancestors) => {
    if (inner.type === 'CallExpression' && /^defer/.test(pathOf(inner.callee)?.[0] ?? '')) declares = true;
    const { name, judged } = calledBy(inner, ancestors) ?? {};
    const id = operationIds.find((each) => each === name);
    const { area, undo } = id ? operation(id) : {};
    if (id && area && undo && judged && judged.by !== 'isRefused') changes.push({ operation: id, area, undo });
  });
  const [first] = changes;
  if (first && !declares) spec.add(node, 'no clean-up', first);
}

function noteNames(spec: SpecFile, binding: Node | undefined, responses: Set<string>): void {
  if (binding?.type === 'Identifier') responses.add(String(binding.name));
  if (binding?.type !== 'ObjectPattern') return;
  for (const { key } of binding.properties as readonly Node[]) {
    const property = isNode(key) ? String(key.name) : '';
    if (undocumented.includes(property)) spec.add(binding, 'undocumented', { property });
  }
}

function checkProperty(spec: SpecFile, node: Node, responses: ReadonlySet<string>): void {
  const [name, property] = pathOf(node) ?? [];
  if (pathOf(node)?.length !== 2 || !name || !property || !responses.has(name)) return;
  if (undocumented.includes(property)) spec.add(node, 'undocumented', { property });
}

if (import.meta.main) complain(mistakesOfSpecs(textsOf(['tests/**/*.spec.ts', 'tests/**/*-cases.ts'])).map(foundText));
