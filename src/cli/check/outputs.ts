import { relative } from 'node:path';
import { type Contract, verdicts } from '../../client/index.ts';
import { readText } from '../../config/files/index.ts';
import { type CredentialEnd, counted, present } from '../../config/index.ts';
import { workFolder } from '../../config/project-root.ts';
import { type Cause, endOf, workedOf } from '../../engine/run/index.ts';
import {
  causeAnnotation,
  closingMarkdown,
  commitOf,
  lineOfTitle,
  messageOf,
  runPage,
  type TestOutcome,
} from '../../reporting/index.ts';
import {
  type Certificate,
  certificatesOf,
  hostFailures,
  overallVerdict,
  type ScenarioResult,
} from '../../runner/index.ts';
import { type Finding, keyLines } from '../../scenario/index.ts';

export interface Checked {
  readonly environment: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly results: readonly ScenarioResult[];
  readonly causes: readonly Cause[];
  /** The readings that it found where the specification is silent. */
  readonly findings: readonly Finding[];
  /** What was judged the last time and is not now, and what ends soon and nothing renews, in lines. */
  readonly remarks: readonly string[];
  readonly credentials: readonly CredentialEnd[];
  /** The team's own contract, to which it was held. */
  readonly contract?: Contract;
}

/** The document that `check --json` prints; docs/check.md describes it. */
export function checkDocument(checked: Checked) {
  const { environment, startedAt, endedAt, results, causes, findings, contract, credentials } = checked;
  const exchanges = results.flatMap((result) => result.exchanges);
  return {
    environment,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: endedAt - startedAt,
    verdict: overallVerdict(results.map(({ verdict }) => verdict)),
    hosts: hostFailures(results),
    causes: causes.map(cause),
    certificates: certificatesOf(exchanges, endedAt).map(certificate),
    credentials: credentials.map(({ key, endsAt, isRenewed }) => ({
      key,
      expiresAt: new Date(endsAt).toISOString(),
      renewed: isRenewed,
    })),
    /** Readings found in this run, where the specification is silent; `keys` define them for the next run. */
    found: { readings: findings.map(finding), keys: keyLines(findings) },
    /** The team's own OpenAPI documents, and the operations that are in none of them. */
    contract: contract ? { documents: contract.documents, unmatched: contract.unmatched } : null,
    unproven: results.filter((result) => result.unproven).length,
    scenarios: results.map((result) => ({
      ...scenario(result),
      cause: causes.find(({ tests }) => tests.includes(result.title))?.sentence ?? null,
    })),
  };
}

export type CheckDocument = ReturnType<typeof checkDocument>;

function finding({ question, reading, header, operation }: Finding) {
  return { question, reading, header: header ?? null, operation: operation ?? null };
}

function scenario(result: ScenarioResult) {
  const { title, area, verdict, grade, reason, unproven = false, warnings, durationMs, curl, exchanges } = result;
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
    exchanges: exchanges.map((exchange) => ({
      operation: exchange.operation,
      status: exchange.response?.status ?? null,
      failure: exchange.failure ?? null,
      durationMs: tenths(exchange.durationMs),
      phases: Object.fromEntries(Object.entries(exchange.phases).map(([phase, ms]) => [phase, tenths(ms)])),
    })),
  };
}

/** What one or more scenarios failed for; `body` is what the service said with its error; `follows` merely failed in clean-up, or needed what is broken. */
function cause({ sentence, body, verdict, grade, areas, operations, tests, follows }: Cause) {
  return { sentence, body: body ?? null, verdict, grade: grade ?? null, areas, operations, scenarios: tests, follows };
}

function certificate({ address, validTo, daysLeft }: Certificate) {
  return { address, validTo: new Date(validTo).toISOString(), daysLeft };
}

/** More digits would only suggest precision. */
function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** The page of a check, in Markdown: what it failed for, a table by area, and the likely causes. */
export function checkPage(all: readonly Checked[], seed: string, likely: readonly string[]): string {
  const environments = all.map(({ environment }) => environment);
  const title = `Check of ${environments.length === 1 ? environments[0] : counted(all.length, 'environment')}`;
  const requests = all.flatMap(({ results }) => results.flatMap(({ exchanges }) => exchanges)).length;
  const run = { environments, commit: commitOf() ?? null, seed };
  return `${runPage(title, run, all.flatMap(outcomesOf), requests)}${closingMarkdown(likely, undefined)}`;
}

/** GitHub's annotations: one for each cause, at the line of the spec that shows it best. */
export function annotationsOf(all: readonly Checked[]): string[] {
  return all.flatMap((checked) =>
    checked.causes.flatMap((cause) => {
      const { title } = cause.example;
      const file = checked.results.find((result) => result.title === title)?.file;
      if (file === undefined) return [];
      const at = { file: relative(workFolder, file), line: lineOfTitle(readText(file, { what: 'a spec' }), title) };
      return causeAnnotation(cause, at, messageOf(outcomesOf(checked), cause.example));
    }),
  );
}

/** The results of a check as those of any other run. */
export function outcomesOf({ environment, results }: Checked): TestOutcome[] {
  return results.map(({ area, title, verdict, durationMs, reason, failures = [], curl, unproven, exchanges }) => {
    const { ran, exitCode } = verdicts[verdict];
    const gist = failures[0]?.gist;
    const told = { ...present({ reason, gist, unproven }), worked: workedOf(exchanges.map(endOf)) };
    const common = { environment, area, title, seconds: durationMs / 1_000, ...told };
    if (!ran || exitCode === 0) return { ...common, outcome: ran ? 'passed' : 'skipped' };
    return {
      ...common,
      outcome: exitCode === 1 ? 'failed' : 'unknown',
      failures,
      messages: [[`${verdict}: ${reason}`, ...(curl ? [curl] : [])].join('\n')],
      headline: reason ?? '',
    };
  });
}
