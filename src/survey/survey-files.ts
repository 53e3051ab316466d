import { join } from 'node:path';
import { type ObservedOperation, redact } from '../client/index.ts';
import { FileTrouble, fileRoles, isThere, readText, replaceText } from '../config/files/index.ts';
import { assertEnvironmentName, observedFolder, surveysFolder } from '../config/index.ts';
import type { Survey } from './fact.ts';
import { surveyPage } from './survey-page.ts';
import { isSurvey } from './survey-shape.ts';

/** A stored survey: its facts, and its responses as in `schemas/observed`. */
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
