import { counted } from '../../config/index.ts';
import {
  caughtBy,
  type Drilled,
  type FaultOutcome,
  problemsOf,
  type ServiceDrilled,
  score,
  scoreByKind,
  type VariantOutcome,
  type WireOutcome,
  wireScore,
} from '../../drill/index.ts';
import { printable } from '../output/terminal.ts';

/** Reasons that the score line has room for. */
const MOST_REASONS = 3;

/** One fault in one line: what became of it, and who saw it, or why nobody did. */
export function wireRow({ name, became, by, reason, isYellow }: WireOutcome): string {
  const why = by === null ? (reason ?? '') : `← ${by}${isYellow ? ' (slow)' : ''}`;
  return printable(`${became.padEnd(9)} ${name}  ${why}`);
}

/** `staging: 141 of 152 faults would turn the gate red; 6 can't be seen here: …; 5 survived: …`. */
export function scoreLine(environment: string, outcomes: readonly WireOutcome[]): string {
  const { caught, of } = wireScore(outcomes);
  const yellow = outcomes.filter(({ isYellow }) => isYellow).length;
  const ofWhich = yellow > 0 ? ` (${yellow} of them yellow: slow)` : '';
  return [
    `${environment}: ${caught} of ${of} faults would turn the gate red${ofWhich}`,
    ...missed(outcomes, 'unseen', "can't be seen here"),
    ...missed(outcomes, 'survived', 'survived'),
  ].join('; ');
}

function missed(outcomes: readonly WireOutcome[], became: WireOutcome['became'], words: string): string[] {
  const those = outcomes.filter((each) => each.became === became);
  if (those.length === 0) return [];
  const reasons = [...Map.groupBy(those, ({ reason }) => reason ?? '')].sort(([, a], [, b]) => b.length - a.length);
  const shown = reasons.slice(0, MOST_REASONS).map(([reason, { length }]) => `${reason} (${length})`);
  return [printable(`${those.length} ${words}: ${shown.join(', ')}${reasons.length > MOST_REASONS ? ' …' : ''}`)];
}

export function wireDocument(environment: string, { outcomes, requests, durationMs }: ServiceDrilled) {
  return {
    environment,
    faults: outcomes.map(({ name, operation, kind, became, by, reason }) => ({
      name,
      operation,
      kind,
      caught: became === 'caught',
      by,
      reason,
    })),
    requests,
    durationMs: Math.round(durationMs),
  };
}

export function plannedText(environment: string, faults: number, requests: number, perSecond?: number): string {
  const time = perSecond
    ? ` (${perSecond} a second: about ${counted(Math.ceil(requests / perSecond / 60), 'minute')})`
    : '';
  return `Drill of ${environment}: ${counted(faults, 'fault')} with about ${counted(requests, 'request')}${time}`;
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

/** The score by kind, the survivors with their reasons, the false alarms, and the problems. */
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

/** Number of unproven scenarios, so that they don't look like passes. */
function unprovenLine({ faults, variants }: Drilled): string {
  const runs = [...faults, ...variants].flatMap(({ unproven }) => unproven);
  const on = variants.filter(({ unproven }) => unproven.length > 0).map(({ variant }) => variant.name);
  return `Unproven: ${runs.length} of the scenarios that ran${on.length > 0 ? `; on the valid variants ${on.join(', ')}` : ''}`;
}
