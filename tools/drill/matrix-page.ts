import { basename, dirname, join } from 'node:path';
import { type CataloguedFault, faults, variants } from '../../reference-service/index.ts';
import { score, scoreByKind } from '../../src/drill/index.ts';
import { projectRoot } from '../../src/environment/project-root.ts';
import { allScenarios } from '../../src/run/index.ts';
import { areaIds, areas, callable } from '../../src/service/index.ts';
import type { Matrix } from './matrix.ts';

export const page = join(projectRoot, 'docs', 'internals', 'kill-matrix.md');

/** The folder of every scenario by its title. */
export async function columns(): Promise<Map<string, string>> {
  return new Map((await allScenarios()).map(({ title, file }) => [title, basename(dirname(file))]));
}

/** The text of docs/internals/kill-matrix.md. */
export async function pageOf(matrix: Matrix): Promise<string> {
  const folders = await columns();
  const rows = new Map(matrix.faults.map((row) => [row.name, row.caughtBy]));
  const scored = faults.map((fault) => ({ ...fault, caughtBy: rows.get(fault.name) ?? [] }));
  const documented = score(scored.filter(({ grade }) => grade === 'documented'));
  const all = score(scored);
  const byArea = Map.groupBy(scored, ({ operation }) => (operation === 'all' ? 'all' : callable(operation).area));
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
    ...areaIds.flatMap((area) => [`## ${areas[area].title}`, areaTable(byArea.get(area) ?? [], folders)]),
    '## Valid variants',
    'Differences that are not defects. The suite passes on each.',
    table(
      ['variant', 'correct because'],
      variants.map(({ name, correctBecause }) => [`\`${name}\``, correctBecause]),
    ),
  ].join('\n\n')}\n`;
}

type ScoredFault = CataloguedFault & { readonly caughtBy: readonly string[] };

/** The table of an area. Each hand-written scenario has a numbered column. Catches by generated specs and model tests are counted. */
function areaTable(faults: readonly ScoredFault[], columns: ReadonlyMap<string, string>): string {
  const catchers = new Set(faults.flatMap(({ caughtBy }) => caughtBy));
  const ownTitles = [...columns]
    .filter(([title, folder]) => folder === 'scenarios' && catchers.has(title))
    .map(([t]) => t);
  const counted = ['auth', 'robustness', 'stateful'];
  const legend = ownTitles.map((title, index) => `${index + 1}. ${title}`).join('\n');
  const rows = faults.map(({ name, breaks, grade, caughtBy, seenIn }) => [
    `\`${name}\``,
    `${breaks.replaceAll('|', '\\|')}${seenIn ? ` ([seen](https://github.com/${seenIn.replace('#', '/issues/')}))` : ''}`,
    grade,
    ...ownTitles.map((title) => (caughtBy.includes(title) ? '●' : '')),
    ...counted.map((folder) => caughtBy.filter((title) => columns.get(title) === folder).length || ''),
  ]);
  return `${legend}\n\n${table(['fault', 'violates', 'grade', ...ownTitles.map((_, index) => index + 1), ...counted], rows)}`;
}

function table(head: readonly (string | number)[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
