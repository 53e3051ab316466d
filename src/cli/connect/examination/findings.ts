import { counted } from '../../../environment/index.ts';
import { exitCodes } from '../../../verdict/exit-codes.ts';

/** The severities with their signs. The doctor exits with the highest `exitCode` of all its findings. */
const severities = {
  fine: { mark: '✓', exitCode: exitCodes.held },
  /** Information; nothing has to be done. */
  note: { mark: '·', exitCode: exitCodes.held },
  /** A run works, but something may go wrong later, or is a risk. */
  warning: { mark: '!', exitCode: exitCodes.held },
  /** A run would fail or be incomplete. */
  problem: { mark: '✗', exitCode: exitCodes.fellShort },
  /** The environment can't be used. */
  configuration: { mark: '✗', exitCode: exitCodes.usage },
} as const;

export type Severity = keyof typeof severities;

export interface Finding {
  readonly subject: string;
  readonly severity: Severity;
  readonly text: string;
  readonly cure: string | null;
  /** The keys of the environment that may be wrong. */
  readonly keys?: readonly string[];
}

const foundBy =
  (severity: Severity) =>
  (subject: string, text: string, cure: string | null = null, keys: readonly string[] = []): Finding => ({
    subject,
    severity,
    text,
    cure,
    ...(keys.length > 0 ? { keys } : {}),
  });

export const fine = foundBy('fine');
export const note = foundBy('note');
export const warning = foundBy('warning');
export const problem = foundBy('problem');
export const configuration = foundBy('configuration');

export interface Examined {
  /** `this machine`, or the name of an environment. */
  readonly of: string;
  readonly findings: readonly Finding[];
}

/** The doctor's exit code: 2 if an environment can't be used, 1 if a run would fail or be incomplete, otherwise 0. */
export function doctorExitCode(all: readonly Finding[]): number {
  return Math.max(0, ...all.map(({ severity }) => severities[severity].exitCode));
}

/** A line for each finding, with its cure in the line below. */
export function findingLines(findings: readonly Finding[], width = subjectWidth(findings)): string[] {
  return findings.flatMap(({ subject, severity, text, cure }) => [
    `  ${severities[severity].mark} ${subject.padEnd(width)}  ${text.replaceAll('\n', '\n    ')}`,
    ...(cure ? [`    ${' '.repeat(width)}  → ${cure}`] : []),
  ]);
}

const subjectWidth = (findings: readonly Finding[]) => Math.max(0, ...findings.map(({ subject }) => subject.length));

/** The report on everything that was examined. Its last line counts the findings. */
export function reportText(all: readonly Examined[]): string {
  const every = all.flatMap(({ findings }) => findings);
  const width = subjectWidth(every);
  const lines = all.flatMap(({ of, findings }) => [of, ...findingLines(findings, width), '']);
  const count = (...those: Severity[]) => every.filter(({ severity }) => those.includes(severity)).length;
  lines.push(
    `${counted(count('problem', 'configuration'), 'problem')}, ${counted(count('warning'), 'warning')}, ${counted(count('fine', 'note'), 'other finding')}.`,
  );
  return lines.join('\n');
}
