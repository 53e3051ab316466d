import { type CataloguedFault, type FaultKind, faultKinds, type Variant } from '../../reference-service/index.ts';
import { type Grade, type Verdict, verdicts } from '../verdict/index.ts';

export interface Red {
  readonly title: string;
  readonly verdict: Verdict;
  readonly grade?: Grade | undefined;
  readonly reason?: string | undefined;
}

export interface DrillOutcome {
  /** Titles of the scenarios that ran and proved something. */
  readonly ran: readonly string[];
  readonly red: readonly Red[];
  /** Titles of scenarios that proved nothing, e.g. because they saw a refusal but no accepted request to compare it with. */
  readonly unproven: readonly string[];
  readonly skipped: readonly string[];
}

/** One run of scenarios, on a separate reference service. */
export interface DrillTask {
  /** The name of the fault or the valid variant; absent: the service is unchanged. */
  readonly change?: string;
  /** The row of `spread` whose readings the service follows, as an index; absent: the first reading of each question. */
  readonly row?: number;
  /** Titles of the scenarios to play; absent: all that could detect the fault or variant. */
  readonly only?: readonly string[] | undefined;
}

export interface TaskOutcome extends DrillOutcome {
  readonly task: DrillTask;
}

export interface FaultOutcome extends DrillOutcome {
  readonly fault: CataloguedFault;
}

/** A variant is a correct service that behaves differently, so any failure is a false alarm. */
export interface VariantOutcome extends DrillOutcome {
  readonly variant: Variant;
}

export interface Drilled {
  readonly faults: readonly FaultOutcome[];
  readonly variants: readonly VariantOutcome[];
  readonly durationMs: number;
}

/**
 * Whether a scenario ran and its verdict is not healthy. On a correct service, this is a false alarm. The verdict `unknown` is an alarm,
 * too, although it never counts as catching a fault.
 */
export function isAlarm({ verdict }: Pick<Red, 'verdict'>): boolean {
  return verdicts[verdict].ran && verdicts[verdict].health !== 'up';
}

export function caughtBy({ red }: FaultOutcome): string[] {
  return red.filter(({ verdict }) => verdicts[verdict].detects).map(({ title }) => title);
}

export function problemsOf({ faults, variants }: Pick<Drilled, 'faults' | 'variants'>): string[] {
  return [...faults, ...variants].flatMap(problemsOfOne);
}

/** The problems of one outcome; empty if the outcome is as the catalogue of faults expects. */
export function problemsOfOne(outcome: FaultOutcome | VariantOutcome): string[] {
  return 'fault' in outcome ? faultProblem(outcome) : falseAlarms(outcome);
}

function faultProblem(outcome: FaultOutcome): string[] {
  const { name, survives, grade, breaks } = outcome.fault;
  const catchers = caughtBy(outcome);
  if (noneRan(outcome)) return [`${name}: no scenario ran that could detect it`];
  if (catchers.length === 0 && !survives) return [`${name} is not caught (${grade}; it violates: ${breaks})`];
  if (catchers.length > 0 && survives)
    return [
      `${name} is caught by "${catchers[0]}", but the catalogue lists it as a survivor: remove \`survives\` if the expectation is right`,
    ];
  return [];
}

function falseAlarms(outcome: VariantOutcome): string[] {
  const { variant, red } = outcome;
  if (noneRan(outcome)) return [`${variant.name}: no scenario ran that could detect it`];
  return red.map(
    ({ title, verdict, reason }) =>
      `${variant.name} is a valid variant (${variant.correctBecause}), but "${title}" is ${verdict}: ${reason ?? 'no reason'}`,
  );
}

/** Whether no scenario ran. An unproven scenario ran, although it proved nothing. */
function noneRan({ ran, unproven }: DrillOutcome): boolean {
  return ran.length + unproven.length === 0;
}

export interface Score {
  readonly caught: number;
  readonly of: number;
  /** A percentage with one decimal, rounded down, so that only a full score is 100. */
  readonly percent: number;
}

export interface Scored {
  readonly kind: FaultKind;
  readonly grade: 'documented' | 'assumed';
  readonly caughtBy: readonly string[];
}

export function score(faults: readonly Pick<Scored, 'caughtBy'>[]): Score {
  const caught = faults.filter((fault) => fault.caughtBy.length > 0).length;
  const percent = faults.length === 0 ? 0 : Math.floor((caught / faults.length) * 1_000) / 10;
  return { caught, of: faults.length, percent };
}

/** The score by kind, in the catalogue's order, without kinds that were not drilled. */
export function scoreByKind(faults: readonly Scored[]): (Score & { readonly kind: FaultKind })[] {
  return faultKinds
    .map((kind) => ({ kind, ...score(faults.filter((fault) => fault.kind === kind)) }))
    .filter(({ of }) => of > 0);
}
