import { verdicts } from '../client/index.ts';
import type { Drilled, DrillOutcome, FaultOutcome, Red, VariantOutcome } from './drilled.ts';

/** Verdicts that detect a fault: `slow` occurs only with faults about slowness, and `unknown` proves nothing. */
export function isAlarm({ verdict }: Pick<Red, 'verdict'>): boolean {
  return verdicts[verdict].ran && verdicts[verdict].health !== 'up';
}

/** Titles of the scenarios that caught a fault. */
export function caughtBy({ red }: FaultOutcome): string[] {
  return red.filter(({ verdict }) => verdicts[verdict].detects).map(({ title }) => title);
}

/** The problems of a drill; each names the fault or the variant. */
export function problemsOf({ faults, variants }: Pick<Drilled, 'faults' | 'variants'>): string[] {
  return [...faults, ...variants].flatMap(problemsOfOne);
}

/** The problems of one outcome; empty if it is as the catalogue expects. */
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

/** One that proved nothing ran all the same. */
function noneRan({ ran, unproven }: DrillOutcome): boolean {
  return ran.length + unproven.length === 0;
}
