import { counted } from '../../config/index.ts';
import type { Diagnosis, Severity } from './diagnosis.ts';

/** The diagnoses of the machine, or of an environment. */
export interface Examined {
  /** `this machine`, or the name of an environment. */
  readonly of: string;
  readonly diagnoses: readonly Diagnosis[];
}

const marks: Readonly<Record<Severity, string>> = {
  fine: '✓',
  note: '·',
  warning: '!',
  problem: '✗',
  configuration: '✗',
};

/** Everything that was examined, each finding with its cure below, and a line that counts. */
export function reportText(all: readonly Examined[]): string {
  const width = Math.max(0, ...all.flatMap(({ diagnoses }) => diagnoses.map(({ subject }) => subject.length)));
  const lines = all.flatMap(({ of, diagnoses }) => [
    of,
    ...diagnoses.flatMap(({ subject, severity, text, cure }) => [
      ...text
        .split('\n')
        .map((line, index) => `${index === 0 ? `  ${marks[severity]} ${subject.padEnd(width)}  ` : '    '}${line}`),
      ...(cure ? [`    ${' '.repeat(width)}  → ${cure}`] : []),
    ]),
    '',
  ]);
  return [...lines, countsLine(all.flatMap(({ diagnoses }) => diagnoses))].join('\n');
}

function countsLine(all: readonly Diagnosis[]): string {
  const count = (...severities: Severity[]) => all.filter(({ severity }) => severities.includes(severity)).length;
  return `${counted(count('problem', 'configuration'), 'problem')}, ${counted(count('warning'), 'warning')}, ${counted(count('fine', 'note'), 'other finding')}.`;
}

/** The same for other programs. */
export function reportDocument(all: readonly Examined[]) {
  return all.map(({ of, diagnoses }) => ({
    of,
    findings: diagnoses.map(({ subject, severity, text, cure }) => ({ subject, severity, text, cure: cure ?? null })),
  }));
}
