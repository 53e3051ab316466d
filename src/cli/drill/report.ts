import {
  caughtBy,
  type Drilled,
  type FaultOutcome,
  problemsOf,
  type Score,
  score,
  scoreByKind,
  type VariantOutcome,
  type WireOutcome,
} from '../../drill/index.ts';
import { counted } from '../../environment/index.ts';
import { printable } from '../output/terminal.ts';

/**
 * One line for a fault that the drill put between Sextant and the service: the scenario that caught the fault, or the reason why no
 * scenario did.
 */
export function wireRow({ name, caught, by, reason }: WireOutcome): string {
  return printable(`${caught ? 'caught' : 'missed'}  ${name}  ${caught ? `← ${by}` : reason}`);
}

/** The share of faults that were caught; its percentage is truncated to one decimal. */
export function wireScore(outcomes: readonly WireOutcome[]): Score {
  return score(outcomes.map(({ by }) => ({ caughtBy: by === null ? [] : [by] })));
}

/** The score in one line, e.g. `staging: 71 of 76 faults would turn the gate red; 5 would not: …`, with the reasons, the most frequent first. */
export function scoreLine(environment: string, outcomes: readonly WireOutcome[]): string {
  const { caught, of } = wireScore(outcomes);
  const line = `${environment}: ${caught} of ${of} faults would turn the gate red`;
  if (caught === of) return line;
  const missed = Map.groupBy(
    outcomes.filter((each) => !each.caught),
    ({ reason }) => reason,
  );
  const reasons = [...missed].sort(([, a], [, b]) => b.length - a.length);
  const shown = reasons.map(([reason, { length }]) => `${reason} (${length})`);
  return printable(`${line}; ${of - caught} would not: ${shown.join(', ')}`);
}

export function outcomeLine(outcome: FaultOutcome | VariantOutcome): string {
  if ('variant' in outcome) {
    const alarms = outcome.red.map(({ title }) => title);
    return `${alarms.length > 0 ? 'ALARM   ' : 'green   '} ${outcome.variant.name}  ${some(alarms)}`.trimEnd();
  }
  const catchers = caughtBy(outcome);
  return `${catchers.length > 0 ? 'caught  ' : 'survives'} ${outcome.fault.name}  ${some(catchers)}`.trimEnd();
}

function some(titles: readonly string[]): string {
  const [first, ...more] = titles;
  if (!first) return '';
  return `← ${first}${more.length > 0 ? ` and ${more.length} more` : ''}`;
}

/**
 * The score for each kind of fault, then the faults that no scenario caught with the reason, the false alarms, and the problems of the
 * drill.
 */
export function drillSummary(drilled: Drilled): string {
  const scored = drilled.faults.map((outcome) => ({ ...outcome.fault, caughtBy: caughtBy(outcome) }));
  const problems = problemsOf(drilled);
  const alarms = drilled.variants.filter(({ red }) => red.length > 0).length;
  const total = (label: string, { caught, of, percent }: ReturnType<typeof score>) =>
    `  ${label.padEnd(12)}${`${caught}/${of}`.padStart(9)}${`${percent} %`.padStart(10)}`;
  const survivors = scored.filter((fault) => fault.caughtBy.length === 0);
  return [
    '',
    'Score',
    ...scoreByKind(scored).map(({ kind, ...rest }) => total(kind, rest)),
    total('documented', score(scored.filter(({ grade }) => grade === 'documented'))),
    total('all', score(scored)),
    ...(survivors.length > 0 ? ['', 'Survivors'] : []),
    ...survivors.map(({ name, survives }) => `  ${name}\n    ${survives ?? 'NOT EXPLAINED'}`),
    '',
    unprovenLine(drilled),
    `False alarms: ${alarms} on ${counted(drilled.variants.length, 'valid variant')}`,
    ...(problems.length > 0 ? ['', counted(problems.length, 'problem')] : []),
    ...problems.map((problem) => `  ${problem}`),
    '',
  ].join('\n');
}

/** A line with the number of unproven scenarios. Without this line, unproven scenarios would look as if they had passed. */
function unprovenLine({ faults, variants }: Drilled): string {
  const runs = [...faults, ...variants].flatMap(({ unproven }) => unproven);
  const on = variants.filter(({ unproven }) => unproven.length > 0).map(({ variant }) => variant.name);
  return `Unproven: ${runs.length} of the scenarios that ran${on.length > 0 ? `; on the valid variants ${on.join(', ')}` : ''}`;
}
