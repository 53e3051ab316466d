import { type CredentialEnd, counted } from '../../environment/index.ts';
import { surveyCommand } from '../../facts/index.ts';
import { commitOf, runPage, type Told, told } from '../../playwright/index.ts';
import {
  acceptingCommand,
  type CauseInRun,
  type Certificate,
  certificatesOf,
  driftsOf,
  hostFailures,
  outcomeOf,
  type ScenarioResult,
  type Traffic,
  type UnprovenOperation,
  verdictOfRun,
} from '../../run/index.ts';
import type { AskedFact } from '../../scenario/index.ts';
import { type Contract, type Verdict, verdicts } from '../../verdict/index.ts';

export interface Checked {
  readonly environment: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly results: readonly ScenarioResult[];
  /** Including what undoes changes of stopped runs. */
  readonly traffic: Traffic;
  readonly causes: readonly CauseInRun[];
  readonly unproven: readonly UnprovenOperation[];
  /** The facts that the check asked the service for, because the specification leaves them open. */
  readonly asked: readonly AskedFact[];
  /** How many requests a second the service took, where that slowed the check down. */
  readonly rate?: number | undefined;
  /** One line for each credential or certificate that expires soon and that nothing renews, and for stored items that were used up. */
  readonly remarks: readonly string[];
  readonly credentials: readonly CredentialEnd[];
  /** The team's own contract, to which it was held. */
  readonly contract?: Contract;
}

/** The document that `check --json` prints; docs/check.md describes it, and docs/check.schema.json is its schema. */
export function checkDocument(checked: Checked) {
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
    /** The facts that this run asked, because the environment lacks them, and the command that keeps them. */
    asked: { facts: asked, keep: asked.length > 0 ? surveyCommand(environment, asked) : null },
    /** The learned answers and shapes that no longer hold, and the command that accepts all changes. */
    drift: driftDocument(environment, results),
    /** The team's own OpenAPI documents, and the operations that are in none of them. */
    contract: contract ? { documents: contract.documents, unmatched: contract.unmatched } : null,
    unproven: results.filter((result) => result.unproven).length,
    /** The operations of which this run proved nothing. */
    unprovenOperations: unproven.map(({ operation, why, key }) => ({ operation, why, key: key ?? null })),
    scenarios: results.map((result) => ({
      ...scenario(result),
      cause: causes.find(({ tests }) => tests.includes(result.title))?.sentence ?? null,
    })),
  };
}

function driftDocument(environment: string, results: readonly ScenarioResult[]) {
  const drifts = results.flatMap(driftsOf);
  const bySentence = new Map(drifts.map((drift) => [drift.sentence, drift]));
  const changes = [...bySentence.values()].map(({ sentence, evidence, breaks }) => ({ sentence, evidence, breaks }));
  return { changes, accept: acceptingCommand(environment, drifts) ?? null };
}

/** The verdict on an environment. */
export function verdictOf({ results, unproven }: Pick<Checked, 'results' | 'unproven'>): Verdict {
  return verdictOfRun(
    results.map(({ verdict }) => verdict),
    unproven,
  );
}

export type CheckDocument = ReturnType<typeof checkDocument>;

function scenario(result: ScenarioResult) {
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

/**
 * Why one or more scenarios failed. `body` is the body of the service's error response. If `follows`, the scenarios
 * only failed in clean-up, or needed an operation that is broken.
 */
function cause({ sentence, body, verdict, grade, areas, operations, tests, follows }: CauseInRun) {
  return { sentence, body: body ?? null, verdict, grade: grade ?? null, areas, operations, scenarios: tests, follows };
}

function certificate({ address, authority, validTo, daysLeft }: Certificate) {
  return { address, authority: authority ?? null, validTo: new Date(validTo).toISOString(), daysLeft };
}

/** More digits would only suggest precision. */
function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** The page of a check, in Markdown: what it failed for, and a table by area. */
export function checkPage(all: readonly Checked[], seed: string): string {
  const environments = all.map(({ environment }) => environment);
  const title = `Check of ${environments.length === 1 ? environments[0] : counted(all.length, 'environment')}`;
  const sum = (of: keyof Traffic) => all.reduce((total, { traffic }) => total + traffic[of], 0);
  const traffic = { requests: sum('requests'), unconnected: sum('unconnected') };
  const run = { environments, commit: commitOf() ?? null, seed };
  return runPage(title, run, toldOf(all), traffic);
}

/** The results of a check as those of any other run. */
export function toldOf(all: readonly Checked[]): Told {
  const outcomes = all.flatMap(({ environment, results }) =>
    results.map((result) => {
      const { verdict, reason, curl } = result;
      const message = [`${verdict}: ${reason}`, ...(curl ? [curl] : [])].join('\n');
      return outcomeOf(environment, result, verdicts[verdict].isRed ? [message] : undefined);
    }),
  );
  return told(outcomes);
}
