import type { Difference } from './index.ts';
import type { Impact } from './schemas.ts';

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
  const lines = [...Map.groupBy(differences, ({ operation }) => operation)].flatMap(([operation, found]) => [
    operation,
    ...found.map(({ impact, what }) => `  ${impact.padEnd(10)}${what}`),
  ]);
  return `${[...lines, summary(differences, names)].join('\n')}\n`;
}

function markdown(differences: readonly Difference[], names: Names): string {
  const cell = (words: string) => words.replaceAll('|', '\\|');
  const rows = differences.map(({ operation, impact, what }) => `| ${operation} | ${impact} | ${cell(what)} |`);
  const table = rows.length > 0 ? ['', '| operation | for a consumer | difference |', '|---|---|---|', ...rows] : [];
  return `${[`**${summary(differences, names)}**`, ...table].join('\n')}\n`;
}
