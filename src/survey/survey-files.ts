import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ObservedOperation, redact, writeArtifact } from '../client/index.ts';
import { ConfigurationError, observedFolder, surveysFolder } from '../config/index.ts';
import type { Survey } from './fact.ts';
import { surveyPage } from './survey-page.ts';

/** A stored survey: its facts, and its responses as in `schemas/observed`. */
export interface KeptSurvey extends Survey {
  readonly answers: readonly ObservedOperation[];
}

/** The stored survey of an environment; `undefined` if there is none yet. */
export function keptSurvey(environment: string): KeptSurvey | undefined {
  const path = join(surveysFolder(), `${environment}.json`);
  return existsSync(path) ? readSurvey(path) : undefined;
}

/** @throws ConfigurationError if the file isn't a survey. */
export function readSurvey(path: string): KeptSurvey {
  try {
    const found = JSON.parse(readFileSync(path, 'utf8')) as Partial<KeptSurvey> | null;
    const isSurvey = typeof found?.environment === 'string' && Array.isArray(found.facts);
    if (isSurvey) return { answers: [], ...(found as Survey) };
  } catch {
    // Told below, whatever it is.
  }
  throw new ConfigurationError(`${path} is not a survey; expected a file written by \`sextant survey\`.`);
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
  for (const [path, text] of files) {
    mkdirSync(dirname(path), { recursive: true });
    // Each file is written completely or not at all: a partial schema would be checked as a whole.
    writeArtifact(`${path}.part`, redact(text));
    renameSync(`${path}.part`, path);
  }
  return files.map(([path]) => path);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
