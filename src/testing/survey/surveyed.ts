import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, type ServiceOptions, whileServing } from '../../../reference-service/index.ts';
import type { Environment } from '../../config/index.ts';
import { ProgressFile } from '../../survey/progress-file.ts';
import { runSurvey, type SurveyOptions, type SurveyRun } from '../../survey/run-survey.ts';
import { startProxy, type WireVariant } from '../servers/wire-proxy.ts';
import { embeddedEnvironment } from '../test-environment.ts';

/** Runs `work` with a temporary folder, which its runs write into, and removes it afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-survey-'));
  const { SEXTANT_OUTPUT: before } = process.env;
  process.env.SEXTANT_OUTPUT = join(folder, 'output');
  try {
    return await work(folder);
  } finally {
    if (before === undefined) delete process.env.SEXTANT_OUTPUT;
    else process.env.SEXTANT_OUTPUT = before;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same with a service on free ports. */
export function withFreshService<T>(
  work: (service: Service, folder: string) => Promise<T>,
  options: Partial<ServiceOptions> = {},
): Promise<T> {
  return withFolder((folder) => whileServing({ port: 0, ...options }, (service) => work(service, folder)));
}

/** The same with the environment of such a service, whose responses pass through a variant. */
export function withVariant(
  variant: WireVariant,
  work: (environment: Environment, folder: string) => Promise<void>,
): Promise<void> {
  return withFreshService(async (service, folder) => {
    const proxy = await startProxy(service, variant);
    try {
      await work(embeddedEnvironment(proxy), folder);
    } finally {
      await proxy.stop();
    }
  });
}

/** A complete survey, or the part of it selected by `rest`. */
export function surveyOf(
  environment: Environment,
  folder: string,
  rest: Partial<SurveyOptions> = {},
): Promise<SurveyRun> {
  const file = new ProgressFile(environment, folder);
  return runSurvey({ environment, seed: '1', runId: randomUUID(), maxRequests: 10_000, file, ...rest });
}

/** The answer to a question; `undefined` if it wasn't asked. */
export function answerTo({ survey }: SurveyRun, operation: string, question: string): string | undefined {
  return survey.facts.find((fact) => fact.operation === operation && fact.question === question)?.answer;
}
