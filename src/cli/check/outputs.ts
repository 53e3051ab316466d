import { type CredentialEnd, counted } from '../../environment/index.ts';
import { surveyCommand } from '../../facts/index.ts';
import { commitOf, type RunReport, runPage, runReport } from '../../playwright/index.ts';
import {
  acceptingCommand,
  type CauseInRun,
  type Certificate,
  certificatesOf,
  driftsOf,
  hostFailures,
  outcomeOfResult,
  type ScenarioResult,
  type Traffic,
  type UnprovenOperation,
  verdictOfRun,
} from '../../run/index.ts';
import type { AskedFact } from '../../scenario/index.ts';
import { type Contract, type Verdict, verdicts } from '../../verdict/index.ts';
import type { CheckDocument } from './check-document.ts';

export interface Checked {
  readonly environment: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly results: readonly ScenarioResult[];
  /** All requests of the check, including the requests that undid changes of killed runs. */
  readonly traffic: Traffic;
  readonly causes: readonly CauseInRun[];
  readonly unproven: readonly UnprovenOperation[];
  /**
   * Facts about the service that this check found out itself, because the specification and the environment's file of facts don't contain
   * them.
   */
  readonly asked: readonly AskedFact[];
  /** How many requests per second the service accepts, if this limit slowed the check down. */
  readonly rate?: number | undefined;
  /**
   * One line for each credential or certificate that expires soon and that nothing renews, and one line if the run has used up stored
   * items.
   */
  readonly remarks: readonly string[];
  readonly credentials: readonly CredentialEnd[];
  /** The team's own OpenAPI contract, against which the responses were checked. */
  readonly contract?: Contract;
}

export function checkDocument(checked: Checked): CheckDocument {
  const { environment, startedAt, endedAt, results, causes, unproven, asked, contract, credentials } = checked;
  const exchanges = results.flatMap((result) => result.exchanges);
  return {
    schemaVersion: 1,
    environment,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: endedAt - startedAt,
    verdict: verdictOf(checked),
    hosts: hostFailures(results),
    causes: causes.map(cause),
    certificates: certificatesOf(exchanges, endedAt).map(certificate),
    credentials: credentials.map(({ key, endsAt, isRenewed }) => ({
      key,
      expiresAt: new Date(endsAt).toISOString(),
      renewed: isRenewed,
    })),
    asked: { facts: asked, keep: asked.length > 0 ? surveyCommand(environment, asked) : null },
    drift: driftDocument(environment, results),
    contract: contract ? { documents: contract.documents, unmatched: contract.unmatched } : null,
    unproven: results.filter((result) => result.unproven).length,
    unprovenOperations: unproven.map(({ operation, why, key }) => ({ operation, why, key: key ?? null })),
    scenarios: results.map((result) => ({
      ...scenario(result),
      cause: causes.find(({ tests }) => tests.includes(result.title))?.sentence ?? null,
    })),
  };
}

function driftDocument(environment: string, results: readonly ScenarioResult[]): CheckDocument['drift'] {
  const drifts = results.flatMap(driftsOf);
  const bySentence = new Map(drifts.map((drift) => [drift.sentence, drift]));
  const changes = [...bySentence.values()].map(({ sentence, evidence, breaks }) => ({ sentence, evidence, breaks }));
  return { changes, accept: acceptingCommand(environment, drifts) ?? null };
}

/**
 * The verdict on an environment. It depends on the verdicts on its scenarios, and on the operations that could not be judged because the
 * service accepted none of their requests.
 */
export function verdictOf({ results, unproven }: Pick<Checked, 'results' | 'unproven'>): Verdict {
  return verdictOfRun(
    results.map(({ verdict }) => verdict),
    unproven,
  );
}

function scenario(result: ScenarioResult): Omit<CheckDocument['scenarios'][number], 'cause'> {
  const {
    title,
    area,
    verdict,
    grade,
    reason,
    unproven = false,
    warnings,
    durationMs,
    curl,
    exchanges,
    trace,
  } = result;
  return {
    title,
    area,
    verdict,
    grade: grade ?? null,
    reason: reason ?? null,
    unproven,
    warnings: warnings ?? [],
    durationMs: tenths(durationMs),
    curl: curl ?? null,
    trace: trace ? { id: trace.id, url: trace.url ?? null } : null,
    exchanges: exchanges.map((exchange) => ({
      operation: exchange.operation,
      status: exchange.response?.status ?? null,
      failure: exchange.failure ?? null,
      durationMs: tenths(exchange.durationMs),
      phases: Object.fromEntries(Object.entries(exchange.phases).map(([phase, ms]) => [phase, tenths(ms)])),
    })),
  };
}

function cause({ sentence, body, verdict, grade, areas, operations, tests, follows }: CauseInRun) {
  return { sentence, body: body ?? null, verdict, grade: grade ?? null, areas, operations, scenarios: tests, follows };
}

function certificate({ address, authority, validTo, daysLeft }: Certificate) {
  return { address, authority: authority ?? null, validTo: new Date(validTo).toISOString(), daysLeft };
}

/** Rounds to tenths of a millisecond, because more digits would suggest a precision that the measurement doesn't have. */
function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** The page of a check, in Markdown: why it failed, and a table by area. */
export function checkPage(all: readonly Checked[], seed: string): string {
  const environments = all.map(({ environment }) => environment);
  const title = `Check of ${environments.length === 1 ? environments[0] : counted(all.length, 'environment')}`;
  const sum = (of: keyof Traffic) => all.reduce((total, { traffic }) => total + traffic[of], 0);
  const traffic = { requests: sum('requests'), unconnected: sum('unconnected') };
  const run = { environments, commit: commitOf() ?? null, seed };
  return runPage(title, run, reportOfChecks(all), traffic);
}

/** Converts the results of a check to the type from which both runners write their outputs, such as JUnit files. */
export function reportOfChecks(all: readonly Checked[]): RunReport {
  const outcomes = all.flatMap(({ environment, results }) =>
    results.map((result) => {
      const { verdict, reason, curl } = result;
      const message = [`${verdict}: ${reason}`, ...(curl ? [curl] : [])].join('\n');
      return outcomeOfResult(environment, result, verdicts[verdict].isRed ? [message] : undefined);
    }),
  );
  return runReport(outcomes, 'scenario');
}
