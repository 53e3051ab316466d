import { counted } from '../../../config/index.ts';

/** fine · note: worth knowing · warning: will become a problem · problem: a run would fall short · configuration: can't be used. */
export type Severity = 'fine' | 'note' | 'warning' | 'problem' | 'configuration';

/** What the doctor found about one subject. */
export interface Diagnosis {
  /** In a word or two, e.g. `clock`. */
  readonly subject: string;
  readonly severity: Severity;
  readonly text: string;
  /** What to do about it. */
  readonly cure?: string;
}

export function fine(subject: string, text: string): Diagnosis {
  return { subject, severity: 'fine', text };
}

/** 2: an environment can't be used · 1: a run would fall short · 0: neither. */
export function doctorExitCode(all: readonly Diagnosis[]): number {
  const has = (severity: Severity) => all.some((each) => each.severity === severity);
  if (has('configuration')) return 2;
  return has('problem') ? 1 : 0;
}

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
