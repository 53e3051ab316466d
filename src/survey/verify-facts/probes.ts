import type { LearnedFact } from '../../client/index.ts';
import type { Effect, Operation } from '../../spec/index.ts';
import { experiments, type OperationEntry } from '../experiments/index.ts';
import { Samples } from '../samples.ts';
import { allowedValues } from './allowed-values.ts';
import { paging } from './paging.ts';
import type { Probe } from './probe.ts';
import { languages, reportCodes } from './report-options.ts';
import { textLimit } from './text-limit.ts';

/** Facts that need few requests are found again with the survey's experiment. */
const again: Probe = (runner, entry, { question }) => {
  const experiment = experiments(new Samples()).find(({ questions }) => questions(entry).includes(question));
  if (!experiment) throw new Error(`no experiment decides ${question} of ${entry.id}`);
  return experiment.run(runner, entry, question);
};

/** The probes by question; the first match counts. Facts without a probe are not checked. */
const probes: readonly (readonly [questions: RegExp, probe: Probe])[] = [
  [/^(repeat|unknown-(user|story|item|code|language)|default-fallback|includes-effect|token-user)$/, again],
  [/^(missing|wrong)-header:/, again],
  [/^text-limit:/, textLimit],
  [/^allowed-values:/, allowedValues],
  [/^paging$/, paging],
  [/^languages$/, languages],
  [/^report-codes$/, reportCodes],
];

/** The effect of checking a fact again: entries are made to read pages of a list, though reading it only reads. */
export function effectOf({ question }: LearnedFact, entry: Operation): Effect {
  return question === 'paging' ? 'reversible' : entry.effect;
}

/**
 * The probe for a fact; `undefined` if there is none. `isSpared`: a valid request would have a permanent effect, so only
 * refusals are probed.
 */
export function probeOf(fact: LearnedFact, entry: OperationEntry, isSpared: boolean): Probe | undefined {
  const probe = probes.find(([questions]) => questions.test(fact.question))?.[1];
  const isAsked = experiments(new Samples()).some(({ questions }) => questions(entry).includes(fact.question));
  if (!probe || !isAsked) return undefined;
  const leavesNothing = /^(refused|tied)/.test(fact.answer) && fact.question !== 'repeat';
  return !isSpared || leavesNothing ? probe : undefined;
}
