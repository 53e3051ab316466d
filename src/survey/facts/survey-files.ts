import { join } from 'node:path';
import { isObservedOperation, type ObservedOperation, redact } from '../../client/index.ts';
import { FileTrouble, fileRoles, isThere, readText, replaceText } from '../../config/files/index.ts';
import { assertEnvironmentName, observedFolder, surveysFolder } from '../../config/index.ts';
import type { Fact, Survey } from './fact.ts';
import { surveyPage } from './survey-page.ts';

export interface KeptSurvey extends Survey {
  readonly answers: readonly ObservedOperation[];
}

/** The stored survey of an environment; `undefined` if there is none yet. */
export function keptSurvey(environment: string): KeptSurvey | undefined {
  assertEnvironmentName(environment);
  const path = join(surveysFolder(), `${environment}.json`);
  return isThere(path, fileRoles.survey) ? readSurvey(path) : undefined;
}

/** @throws FileTrouble if the file isn't a survey. */
export function readSurvey(path: string): KeptSurvey {
  const text = readText(path, fileRoles.survey);
  try {
    const found: unknown = JSON.parse(text);
    if (isSurvey(found)) return { answers: [], ...found };
  } catch {
    // Any error is reported below.
  }
  throw new FileTrouble(path, fileRoles.survey, 'is not what `sextant survey` writes', 'Survey again');
}

/** Writes `surveys/<name>.json`, `surveys/<name>.md` and `schemas/observed/<name>/`; returns their paths. */
export function writeSurvey(survey: KeptSurvey): string[] {
  const { environment, answers } = survey;
  const folder = observedFolder(environment);
  const files: [string, string][] = [
    ...answers.map((entry): [string, string] => [join(folder, `${entry.operation}.json`), json(entry)]),
    [join(surveysFolder(), `${environment}.json`), json(survey)],
    [join(surveysFolder(), `${environment}.md`), surveyPage(survey)],
  ];
  for (const [path, text] of files) replaceText(path, redact(text), fileRoles.survey);
  return files.map(([path]) => path);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Whether a value that was read from a file is what a survey writes; its responses may be absent. */
export function isSurvey(value: unknown): value is Survey & { readonly answers?: readonly ObservedOperation[] } {
  if (typeof value !== 'object' || value === null) return false;
  const { environment, facts, answers } = value as Record<string, unknown>;
  const areAnswers = answers === undefined || (Array.isArray(answers) && answers.every(isObservedOperation));
  return typeof environment === 'string' && Array.isArray(facts) && facts.every(isFact) && areAnswers;
}

function isFact(value: unknown): value is Fact {
  if (typeof value !== 'object' || value === null) return false;
  const { operation, question, answer, observedAt, evidence } = value as Record<string, unknown>;
  return [operation, question, answer, observedAt].every((each) => typeof each === 'string') && Array.isArray(evidence);
}
