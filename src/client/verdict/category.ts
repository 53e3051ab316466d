import type { Fact } from '../../engine/facts/index.ts';
import { type Verdict, verdicts } from './verdicts.ts';

const finer = {
  'off-contract': { verdict: 'failed', title: "Failed: violates the team's own OpenAPI document" },
  unjudged: { verdict: 'unknown', title: 'Unjudged: the test expects nothing of a call' },
  'spec-mistake': { verdict: 'unknown', title: 'Spec mistake: the message names its line and the cure' },
  'suite-fault': { verdict: 'unknown', title: 'Suite error: a bug in the suite or its configuration' },
  'not-allowed': { verdict: 'skipped', title: 'Skipped: not allowed in this environment' },
  quarantined: { verdict: 'skipped', title: 'Quarantined: it fails, with an owner and an end date' },
  unproven: { verdict: 'skipped', title: 'Unproven: no valid request was accepted for comparison' },
  open: { verdict: 'skipped', title: 'Skipped: the specification leaves it open' },
  'no-data': { verdict: 'skipped', title: 'Skipped: test data is missing' },
} as const satisfies Record<string, { readonly verdict: Verdict; readonly title: string }>;

type Finer = keyof typeof finer;

/** The report category of a test that did not pass: its verdict, or a finer category. */
export type Category = Verdict | Finer;

export type SkipCategory = { [C in Finer]: (typeof finer)[C]['verdict'] extends 'skipped' ? C : never }[Finer];

/** Name of the label in the report, and of the annotation under Playwright. */
export const CATEGORY_LABEL = 'category';

export function verdictOfCategory(category: Category): Verdict {
  return category in finer ? finer[category as Finer].verdict : (category as Verdict);
}

/** The category of a broken expectation: a team's own document isn't the specification, so it is never filed under it. */
export function categoryOfBroken(grade: Grade): Category {
  return grade === 'specified' ? 'off-contract' : verdictOfBroken(grade);
}

/** Every category with its title, most severe first. */
export function categoryTitles(): { readonly category: Category; readonly title: string }[] {
  const ofVerdicts = Object.entries(verdicts).flatMap(([category, { category: title }]) =>
    title === null ? [] : [{ category: category as Category, title }],
  );
  const ofFiner = Object.entries(finer).map(([category, { title }]) => ({ category: category as Category, title }));
  const severity = ({ category }: { category: Category }) => verdicts[verdictOfCategory(category)].severity;
  return [...ofVerdicts, ...ofFiner].sort((a, b) => severity(b) - severity(a));
}

/** An error of the suite. It states its category, and with it the verdict on the scenario. */
export abstract class SuiteError extends Error {
  abstract readonly category: Category;
}

export function leavesOut(error: unknown): error is SuiteError {
  return error instanceof SuiteError && !verdicts[verdictOfCategory(error.category)].ran;
}

/** A mistake of the suite, found before anything was sent. It says nothing about the service. */
export class SuiteFault extends SuiteError {
  readonly category: Category = 'suite-fault';
  /** The component other than the service that failed and prevented the call. */
  readonly outside?: 'provisioner';
}

/**
 * Nothing was proved: a refusal stands beside no acceptance, or what the suite made up is refused. The scenario is neither
 * green nor red; it is skipped with this reason, and counted apart.
 */
export class Unproven extends SuiteError {
  override readonly name = 'Unproven';
  readonly category = 'unproven';
  /** The message without the response that it quotes. */
  readonly gist: string;

  /** `gist` is `why` without the response that it quotes, if it does. */
  constructor(why: string, gist = why) {
    super(`unproven: ${why}`);
    this.gist = `unproven: ${gist}`;
  }
}

/** A fact of the environment says that it can be judged, and the service prevents it: nobody knows whether it still works. */
export class Prevented extends SuiteError {
  // Reports show the name first.
  override readonly name = 'Unknown';
  readonly category = 'unknown';

  constructor(why: string, { operation, question, answer }: Pick<Fact, 'operation' | 'question' | 'answer'>) {
    super(`${why}, though a fact says that it can be judged: ${question} of ${operation} is ${answer}`);
  }
}

interface GradeFacts {
  /** One phrase of Markdown, for docs/check.md. */
  readonly source: string;
  readonly broken: 'drifted' | 'failed';
  /** The drill's faults break such expectations, so that what they look like says something about one that is broken. */
  readonly isDrilled: boolean;
}

/** The sources of expectations, the weightiest first. */
const table = {
  documented: { source: 'the specification', broken: 'failed', isDrilled: true },
  specified: {
    source: "the team's own OpenAPI document, where the environment names one ([contract](contract.md))",
    broken: 'failed',
    isDrilled: false,
  },
  learned: {
    source: 'observed in this environment by a [survey](survey.md), and committed',
    broken: 'drifted',
    isDrilled: false,
  },
  assumed: { source: 'HTTP common sense: success is a 2xx, JSON is valid, no 5xx', broken: 'failed', isDrilled: true },
} as const satisfies Record<string, GradeFacts>;

export type Grade = keyof typeof table;

export const gradeTable: Readonly<Record<Grade, GradeFacts>> = table;

const grades = Object.keys(table) as Grade[];

/** An expectation in words, beginning with its grade: `documented: the list mentions a friend just blocked`. */
export type Claim = `${Grade}: ${string}`;

/** The claim of a spec: what a team specified and what was learned differ by environment, and stand in no spec. */
export type StatedClaim = `${Exclude<Grade, 'specified' | 'learned'>}: ${string}`;

export function verdictOfBroken(grade: Grade): 'drifted' | 'failed' {
  return gradeTable[grade].broken;
}

export function gradeOf(text: string): Grade | undefined {
  return grades.find((grade) => text.startsWith(`${grade}: `));
}
