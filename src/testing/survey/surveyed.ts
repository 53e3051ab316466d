import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Fault } from '../../../reference-service/index.ts';
import type { Environment } from '../../environment/index.ts';
import type { Finding } from '../../survey/findings.ts';
import { runSurvey, type SurveyOptions, type SurveyRun } from '../../survey/run-survey.ts';
import { fastFolder, temporaryFolder } from '../own-folder.ts';

/** Runs `work` with a temporary folder, and removes the folder afterwards. Runs within `work` write into this folder. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const { path: folder, end } = temporaryFolder(fastFolder());
  const { SEXTANT_OUTPUT: before } = process.env;
  process.env.SEXTANT_OUTPUT = join(folder, 'output');
  try {
    return await work(folder);
  } finally {
    if (before === undefined) delete process.env.SEXTANT_OUTPUT;
    else process.env.SEXTANT_OUTPUT = before;
    end();
  }
}

export function surveyOf(environment: Environment, rest: Partial<SurveyOptions> = {}): Promise<SurveyRun> {
  return runSurvey({ environment, seed: '1', runId: randomUUID(), maxRequests: 10_000, ...rest });
}

export function findingOf({ findings }: SurveyRun, operation: string, question: string): Finding | undefined {
  return findings.find((finding) => finding.operation === operation && finding.question === question);
}

/** The answer to a question; `undefined` if the survey didn't decide it. */
export function answerTo(run: SurveyRun, operation: string, question: string): string | undefined {
  return findingOf(run, operation, question)?.answer;
}

/** A fault that replaces every response by one with this status, content type and body. */
export const always = (status: number, type: string, body: string): Pick<Fault, 'respond'> => ({
  respond: () => (response) => ({ headers: { ...response.headers, 'content-type': type }, status, body }),
});
