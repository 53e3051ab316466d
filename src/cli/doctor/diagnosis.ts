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
