import type { Fact } from '../../facts/index.ts';
import { factImpact, type Impact } from '../../questions/index.ts';
import { type Learned, responseChanges } from './schemas.ts';

export interface Difference {
  readonly operation: string;
  readonly impact: Impact;
  readonly what: string;
  /** The survey that has no fact about the question. Absent if both surveys have one. */
  readonly unknownIn?: keyof Names;
}

const gravity: readonly Impact[] = ['breaking', 'unknown', 'safe'];

/** Every difference between two surveys, grouped by operation, the most severe first. */
export function compareSurveys(before: Learned, after: Learned): Difference[] {
  const sides = [before, after].flatMap(({ facts, answers }) => [...facts, ...answers]);
  const operations = new Set(sides.map(({ operation }) => operation));
  return gravestFirst(
    [...operations].flatMap((operation) => [
      ...factDifferences(operation, before, after),
      ...responseChanges(operation, before, after).map(({ operation, impact, what }) => ({ operation, impact, what })),
    ]),
  );
}

/** Sorts the differences: those of one operation stay together, the most severe first. */
function gravestFirst(differences: readonly Difference[]): Difference[] {
  return [...Map.groupBy(differences, ({ operation }) => operation).values()].flatMap((found) =>
    found.toSorted((a, b) => gravity.indexOf(a.impact) - gravity.indexOf(b.impact)),
  );
}

function factDifferences(operation: string, before: Learned, after: Learned): Difference[] {
  const of = ({ facts }: Learned) => [...facts].filter((fact) => fact.operation === operation);
  const hasAnswers = [before, after].every(({ answers }) => answers.some((entry) => entry.operation === operation));
  const questions = new Set([...of(before), ...of(after)].map(({ question }) => question));
  return [...questions].flatMap((question): Difference[] => {
    if (question === 'answer-shape' && hasAnswers) return [];
    const [a, b] = [before, after].map(({ facts }) => facts.of(question, operation));
    const impact = a && b ? factImpact(a, b.answer) : 'unknown';
    const said = (fact: Fact | undefined) => fact?.answer ?? 'no fact';
    const unknownIn = a ? (b ? undefined : 'after') : 'before';
    const what = `${question}: ${said(a)} → ${said(b)}`;
    return impact ? [{ operation, impact, what, ...(unknownIn ? { unknownIn } : {}) }] : [];
  });
}

export const formats = ['text', 'json', 'markdown'] as const;
export type Format = (typeof formats)[number];

interface Names {
  readonly before: string;
  readonly after: string;
}

export function showDifferences(differences: readonly Difference[], names: Names, format: Format): string {
  if (format === 'json') return `${JSON.stringify({ ...names, ...counts(differences), differences }, null, 2)}\n`;
  return format === 'markdown' ? markdown(differences, names) : text(differences, names);
}

function counts(differences: readonly Difference[]): Record<Impact, number> {
  const of = (impact: Impact) => differences.filter((difference) => difference.impact === impact).length;
  return { breaking: of('breaking'), unknown: of('unknown'), safe: of('safe') };
}

function summary(differences: readonly Difference[], { before, after }: Names): string {
  const { breaking, unknown, safe } = counts(differences);
  return `${before} → ${after}: ${breaking} breaking, ${unknown} unknown, ${safe} safe`;
}

function text(differences: readonly Difference[], names: Names): string {
  const { single, together } = gathered(differences, names);
  const lines = [...Map.groupBy(single, ({ operation }) => operation)].flatMap(([operation, found]) => [
    operation,
    ...found.map(({ impact, what }) => `  ${impact.padEnd(10)}${what}`),
  ]);
  return `${[...lines, ...together, summary(differences, names)].join('\n')}\n`;
}

function markdown(differences: readonly Difference[], names: Names): string {
  const { single, together } = gathered(differences, names);
  const cell = (words: string) => words.replaceAll('|', '\\|');
  const rows = single.map(({ operation, impact, what }) => `| ${operation} | ${impact} | ${cell(what)} |`);
  const table = rows.length > 0 ? ['', '| operation | for a consumer | difference |', '|---|---|---|', ...rows] : [];
  return `${[`**${summary(differences, names)}**`, ...together.map((line) => `\n${line}`), ...table].join('\n')}\n`;
}

/** If more questions than this have no fact in one of the surveys, a single line states their number instead of listing each question. */
const MOST_UNKNOWN = 3;

function gathered(differences: readonly Difference[], names: Names) {
  const groups = [...Map.groupBy(differences, ({ unknownIn }) => unknownIn)].flatMap(([side, found]) =>
    side && found.length > MOST_UNKNOWN ? [{ side, found }] : [],
  );
  const together = groups.map(({ side, found }) => `${found.length} questions have no fact in ${names[side]}`);
  const inGroup = new Set(groups.flatMap(({ found }) => found));
  return { single: differences.filter((each) => !inGroup.has(each)), together };
}
