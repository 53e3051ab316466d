import { Visitor } from 'oxc-parser';
import { areaIds, callableIds, operationIds } from '../../src/spec/index.ts';
import { lineAt, type Source } from '../sources.ts';

/** The engine: what must work for any service whose specification, requests, specs and reference service are written. */
const ENGINE = /^(?:src|fixtures)\/|^[^/]+\.ts$/;
/** Where the service may be named: its specification, the survey's own questions, the tables of what can break, and tests. */
const NAMING = /^src\/(?:spec|survey\/experiments|drill\/wire|testing)\/|\.test\.ts$/;

/** Names that mean something else in some files. */
const otherMeanings: Readonly<Record<string, { readonly is: string; readonly files: RegExp }>> = {
  profile: { is: 'a profile that the suite invents', files: /^src\/scenario\/data\/test-data\.ts$/ },
  report: {
    is: 'the report of a run, and the command that builds it',
    files:
      /^(?:allurerc|src\/cli\/(?:playwright\/allure-report|commands\/(?:index|report))|src\/scenario\/.*(?:output-folders))\.ts$/,
  },
};

const COUNTED = /\b(?:fourteen|six (?:areas|addresses|ports|base addresses))\b/i;
const CURE =
  'Ask for a fact of its entry: `operationsWith(…)`, `operation(id).shownBy` …; a new fact is a field in src/spec/operations.ts.';

const operations = new Set<string>(operationIds);
const callables = new Set<string>(callableIds);
const areas = new Set<string>(areaIds);
const call = new RegExp(`\\b(?:${areaIds.join('|')})\\.(?:${callableIds.join('|')})\\b`);

/**
 * Operations and areas that the engine's code names, in literals, members and calls, and how many of them it says there are: each with
 * its place and the cure. Whoever writes another specification must find the engine ready for it.
 */
export function serviceNames({ file, text, program }: Source): string[] {
  if (!ENGINE.test(file) || NAMING.test(file)) return [];
  const found: string[] = [];
  const add = (start: number, name: string) => {
    if (otherMeanings[name]?.files.test(file)) return;
    found.push(`${file}:${lineAt(text, start)}: the engine names \`${name}\`, which is a fact of the service. ${CURE}`);
  };
  const addIn = (value: string, start: number) => {
    const name = callables.has(value) || areas.has(value) ? value : call.exec(value)?.[0];
    if (name) add(start, name);
  };
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === 'string') addIn(value, start);
    },
    TemplateElement: ({ value, start }) => addIn(value.cooked ?? '', start),
    CallExpression: ({ callee }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (operations.has(callee.property.name)) add(callee.property.start, callee.property.name);
    },
    MemberExpression: ({ object, property }) => {
      const isOfNode = object.type === 'Identifier' && object.name === 'process';
      if (property.type === 'Identifier' && areas.has(property.name) && !isOfNode) add(property.start, property.name);
    },
    Property: ({ key, start }) => {
      if (key.type === 'Identifier' && (areas.has(key.name) || operations.has(key.name))) add(start, key.name);
    },
  }).visit(program);
  for (const [index, line] of text.split('\n').entries()) {
    const counted = COUNTED.exec(line)?.[0];
    if (counted)
      found.push(`${file}:${index + 1}: "${counted}" is true of one specification. Count: \`operationIds.length\`.`);
  }
  return found;
}
