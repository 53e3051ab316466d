import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ObservedOperation, redact, writeArtifact } from '../client/index.ts';
import { ConfigurationError, observedFolder, surveysFolder } from '../config/index.ts';
import type { Survey } from './fact.ts';
import { surveyPage } from './survey-page.ts';

/** A survey as it is kept: its facts, and the answers that `schemas/observed` holds one by one. */
export interface KeptSurvey extends Survey {
  readonly answers: readonly ObservedOperation[];
}

/** The survey that is kept of an environment; `undefined` when there is none yet. */
export function keptSurvey(environment: string): KeptSurvey | undefined {
  const path = join(surveysFolder(), `${environment}.json`);
  return existsSync(path) ? readSurvey(path) : undefined;
}

/** @throws ConfigurationError when the file isn't a survey. */
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

/** Writes `surveys/<name>.json`, `surveys/<name>.md` and `schemas/observed/<name>/`; gives their paths. */
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
    // All or nothing of each file: a half one would hold answers to half a schema.
    writeArtifact(`${path}.part`, redact(text));
    renameSync(`${path}.part`, path);
  }
  return files.map(([path]) => path);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
