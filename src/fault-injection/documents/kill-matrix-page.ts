import type { CataloguedFault, Variant } from '../../../reference-service/index.ts';
import { areaIds, areas, type CallableId, callable } from '../../spec/index.ts';
import type { Matrix } from '../matrix.ts';
import { score, scoreByKind } from '../score.ts';
import type { SpreadDocument } from './json-report.ts';

/** The data of the page. `columns`: the folder of every scenario by its title. */
export interface PageSource {
  readonly matrix: Matrix;
  readonly faults: readonly CataloguedFault[];
  readonly variants: readonly Variant[];
  readonly columns: ReadonlyMap<string, string>;
  readonly spread: SpreadDocument;
}

/** docs/kill-matrix.md. */
export function killMatrixPage({ matrix, faults, variants, columns, spread }: PageSource): string {
  const rows = new Map(matrix.faults.map((row) => [row.name, row.caughtBy]));
  const scored = faults.map((fault) => ({ ...fault, caughtBy: rows.get(fault.name) ?? [] }));
  const documented = score(scored.filter(({ grade }) => grade === 'documented'));
  const all = score(scored);
  const survivors = scored.filter((fault) => fault.caughtBy.length === 0);
  return `${[
    '# The kill matrix',
    'Which scenario catches which fault. `npm run drill:matrix` updates this page; `npm test` fails if it is out of date.',
    `**The suite catches ${all.caught} of ${all.of} faults (${all.percent} %)**, and ${documented.caught} of the ${documented.of} that violate the specification (${documented.percent} %).`,
    table(
      ['kind', 'caught', 'of', '%'],
      scoreByKind(scored).map(({ kind, caught, of, percent }) => [kind, caught, of, percent]),
    ),
    '## Survivors',
    table(
      ['fault', 'grade', 'why no test can detect it'],
      survivors.map(({ name, grade, survives }) => [`\`${name}\``, grade, survives ?? '**not explained**']),
    ),
    ...areaIds.flatMap((area) => [
      `## ${areas[area].title}`,
      areaTable(
        scored.filter((fault) => areaOf(fault.operation) === area),
        columns,
      ),
    ]),
    ...(spread.combinations > 0 ? spreadSection(spread) : []),
    '## Valid variants',
    'Differences that are not defects. The suite passes on each.',
    table(
      ['variant', 'correct because'],
      variants.map(({ name, correctBecause }) => [`\`${name}\``, correctBecause]),
    ),
  ].join('\n\n')}\n`;
}

function spreadSection({ combinations, caught, of, score: percent, readings, survivors }: SpreadDocument): string[] {
  const found = table(
    ['reading', 'passed', 'false alarms', 'unproven', 'skipped', 'faults', 'caught'],
    readings.map(({ reading, passed, alarms, unproven, skipped, faults, caught: found }) => {
      return [`\`${reading}\``, passed, alarms, unproven, skipped, faults, found];
    }),
  );
  const missed = table(
    ['not caught', 'grade', 'why', 'on'],
    survivors.map(({ name, grade, why, on }) => [`\`${name}\``, grade, why, on]),
  );
  return [
    '## Other readings',
    `The same faults on ${combinations} combinations of what the specification leaves open, each two readings together at least once: ${caught} of ${of} caught (${percent} %). A scenario that fails without the fault, or proves nothing, catches nothing.`,
    found,
    ...(survivors.length > 0 ? [missed] : []),
  ];
}

type ScoredFault = CataloguedFault & { readonly caughtBy: readonly string[] };

/** Hand-written scenarios have a numbered column each; generated specs and model tests are counted. */
function areaTable(faults: readonly ScoredFault[], columns: ReadonlyMap<string, string>): string {
  const catchers = new Set(faults.flatMap(({ caughtBy }) => caughtBy));
  const own = [...columns].filter(([title, folder]) => folder === 'scenarios' && catchers.has(title)).map(([t]) => t);
  const counted = ['auth', 'robustness', 'stateful'];
  const legend = own.map((title, index) => `${index + 1}. ${title}`).join('\n');
  const rows = faults.map(({ name, breaks, grade, caughtBy, seenIn }) => [
    `\`${name}\``,
    `${breaks.replaceAll('|', '\\|')}${seenIn ? ` ([seen](https://github.com/${seenIn.replace('#', '/issues/')}))` : ''}`,
    grade,
    ...own.map((title) => (caughtBy.includes(title) ? '●' : '')),
    ...counted.map((folder) => caughtBy.filter((title) => columns.get(title) === folder).length || ''),
  ]);
  return `${legend}\n\n${table(['fault', 'violates', 'grade', ...own.map((_, index) => index + 1), ...counted], rows)}`;
}

function areaOf(changed: CallableId | 'all'): string {
  return changed === 'all' ? 'all' : callable(changed).area;
}

function table(head: readonly (string | number)[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
