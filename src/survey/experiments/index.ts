import type { Samples } from '../inference/samples.ts';
import { allowedValues } from './allowed-values.ts';
import { blockLists } from './block-lists.ts';
import { malformedJson, missingContentType, requiredField, unknownField, wrongType } from './bodies.ts';
import { defaultFallback } from './default-fallback.ts';
import type { Experiment } from './experiment.ts';
import { missingHeader, schemeCase, tokenUser, wrongHeader } from './headers.ts';
import { profile } from './profile-includes.ts';
import { errorShape, methodNotAllowed } from './refusals.ts';
import { reportOptions } from './report-options.ts';
import { answerShape, repeat, successStatus } from './success.ts';
import { textLimit } from './text-limit.ts';
import { unknownThings } from './unknown-things.ts';

/** Every experiment, in order: valid requests come before invalid ones. */
export function experiments(samples: Samples): readonly Experiment[] {
  return [
    successStatus(samples),
    ...blockLists,
    ...reportOptions,
    defaultFallback,
    ...profile,
    answerShape(samples),
    requiredField,
    wrongType,
    unknownField,
    malformedJson,
    missingContentType,
    textLimit,
    allowedValues,
    missingHeader,
    wrongHeader,
    schemeCase,
    tokenUser,
    ...unknownThings,
    methodNotAllowed,
    errorShape,
    repeat,
  ];
}

export type { Experiment, OperationEntry } from './experiment.ts';
