import { relative } from 'node:path';
import { type Contract, type Verdict, verdicts } from '../../client/index.ts';
import { readText } from '../../config/files/index.ts';
import { type CredentialEnd, counted } from '../../config/index.ts';
import { workFolder } from '../../config/project-root.ts';
import {
  causeAnnotation,
  causesMarkdown,
  closingMarkdown,
  type JunitCase,
  lineOfTitle,
  requestsText,
  runMarkdown,
  summarise,
  summaryMarkdown,
} from '../../reporting/index.ts';
import {
  type Certificate,
  certificatesOf,
  hostFailures,
  overallVerdict,
  type ScenarioResult,
} from '../../runner/index.ts';
import { type Cause, commitOf, type Finding, keyLines } from '../../scenario/index.ts';

/** One environment's run. */
export interface Checked {
  readonly environment: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly results: readonly ScenarioResult[];
  /** What they failed for. */
  readonly causes: readonly Cause[];
  /** The readings that it found where the specification is silent. */
  readonly findings: readonly Finding[];
  /** What was judged the last time and is not now, and what ends soon and nothing renews, in lines. */
  readonly remarks: readonly string[];
  /** When its credentials expire, where that is known. */
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
    /** When each credential expires, where that is known. */
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

/** What one or more scenarios failed for; `follows` merely failed in clean-up, or needed what is broken. */
function cause({ sentence, verdict, grade, areas, operations, tests, follows }: Cause) {
  return { sentence, verdict, grade: grade ?? null, areas, operations, scenarios: tests, follows };
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
  const results = all.flatMap(({ results: each }) => each);
  const requests = results.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  const environments = all.map(({ environment }) => environment);
  const title = `Check of ${environments.length === 1 ? environments[0] : counted(all.length, 'environment')}`;
  const facts = runMarkdown({ environments, commit: commitOf() ?? null, seed }, process.env);
  const failed = all.flatMap(({ causes: each }) => each);
  const causes = causesMarkdown(failed, (example) => textOf(all, example));
  const summary = summarise(results.map((result) => ({ ...result, outcome: outcomeOf(result.verdict) })));
  const page = summaryMarkdown(summary, { title, facts: `${facts} · ${requestsText(requests)}`, causes });
  return `${page}${closingMarkdown(likely, undefined)}`;
}

/** GitHub's annotations: one for each cause, at the line of the spec that shows it best. */
export function annotationsOf(all: readonly Checked[]): string[] {
  return all.flatMap(({ results, causes }) =>
    causes.flatMap((cause) => {
      const { title } = cause.example;
      const file = results.find((result) => result.title === title)?.file;
      if (file === undefined) return [];
      const line = lineOfTitle(readText(file, { what: 'a spec' }), title);
      return causeAnnotation(cause, { file: relative(workFolder, file), line }, textOf(all, cause.example));
    }),
  );
}

function textOf(all: readonly Checked[], { environment, title }: Cause['example']): string {
  const checked = all.find((each) => each.environment === environment);
  const { verdict, reason, curl } = checked?.results.find((result) => result.title === title) ?? {};
  return [`${verdict}: ${reason}`, ...(curl ? [curl] : [])].join('\n');
}

/** The results of a check in JUnit's terms. */
export function junitCases({ environment, results, causes }: Checked): JunitCase[] {
  return results.map(({ area, title, verdict, durationMs, reason, curl }) => ({
    suite: environment,
    group: area,
    name: title,
    seconds: durationMs / 1_000,
    outcome: outcomeOf(verdict),
    causes: causes.filter(({ tests }) => tests.includes(title)).map(({ sentence }) => sentence),
    ...(reason ? { message: reason } : {}),
    ...(curl ? { details: `${verdict}: ${reason}\n${curl}` } : {}),
  }));
}

function outcomeOf(verdict: Verdict): JunitCase['outcome'] {
  const { ran, exitCode } = verdicts[verdict];
  if (!ran) return 'skipped';
  return exitCode === 0 ? 'passed' : exitCode === 1 ? 'failed' : 'unknown';
}
