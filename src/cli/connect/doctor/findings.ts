import { counted } from '../../../config/index.ts';

/** What each severity means and how it is drawn; `exitCode` is that of a doctor that found one. */
const severities = {
  fine: { mark: '✓', exitCode: 0 },
  note: { mark: '·', exitCode: 0 },
  warning: { mark: '!', exitCode: 0 },
  problem: { mark: '✗', exitCode: 1 },
  configuration: { mark: '✗', exitCode: 2 },
} as const;

export type Severity = keyof typeof severities;

export interface Finding {
  readonly subject: string;
  readonly severity: Severity;
  readonly text: string;
  readonly cure: string | null;
}

const found =
  (severity: Severity) =>
  (subject: string, text: string, cure: string | null = null): Finding => ({ subject, severity, text, cure });

export const fine = found('fine');
export const note = found('note');
export const warning = found('warning');
export const problem = found('problem');
export const configuration = found('configuration');

export interface Examined {
  readonly of: string;
  readonly findings: readonly Finding[];
}

export function doctorExitCode(all: readonly Finding[]): number {
  return Math.max(0, ...all.map(({ severity }) => severities[severity].exitCode));
}

export function reportText(all: readonly Examined[]): string {
  const every = all.flatMap(({ findings }) => findings);
  const width = Math.max(0, ...every.map(({ subject }) => subject.length));
  const lines = all.flatMap(({ of, findings }) => [
    of,
    ...findings.flatMap(({ subject, severity, text, cure }) => [
      `  ${severities[severity].mark} ${subject.padEnd(width)}  ${text.replaceAll('\n', '\n    ')}`,
      ...(cure ? [`    ${' '.repeat(width)}  → ${cure}`] : []),
    ]),
    '',
  ]);
  const count = (...those: Severity[]) => every.filter(({ severity }) => those.includes(severity)).length;
  lines.push(
    `${counted(count('problem', 'configuration'), 'problem')}, ${counted(count('warning'), 'warning')}, ${counted(count('fine', 'note'), 'other finding')}.`,
  );
  return lines.join('\n');
}
