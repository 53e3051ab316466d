import { blockLists } from './block-lists.ts';
import { bodies } from './bodies.ts';
import type { Experiment } from './experiment.ts';
import { allowedValues, textLimit } from './field-values.ts';
import { headerExperiments } from './headers.ts';
import { profile } from './profile-includes.ts';
import { errorShape, methodNotAllowed } from './refusals.ts';
import { reportOptions } from './report-options.ts';
import { answerShape, repeat, successStatus } from './success.ts';
import { defaultFallback, unknownThings } from './unknown-things.ts';

/** Every experiment, in order: valid requests come before invalid ones. */
export const experiments: readonly Experiment[] = [
  successStatus,
  ...blockLists,
  ...reportOptions,
  defaultFallback,
  ...profile,
  answerShape,
  ...bodies,
  textLimit,
  allowedValues,
  ...headerExperiments,
  ...unknownThings,
  methodNotAllowed,
  errorShape,
  repeat,
];

export type { Experiment } from './experiment.ts';
