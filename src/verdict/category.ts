import { type Verdict, verdicts } from './verdicts.ts';

/**
 * The categories into which a report sorts tests that did not pass. A verdict is a category, and some verdicts are divided into several
 * categories.
 */
const table = {
  failed: { verdict: 'failed', title: 'Failed: violates the specification or HTTP common sense' },
  'off-contract': { verdict: 'failed', title: "Failed: violates the team's own OpenAPI document" },
  unreachable: { verdict: 'unreachable', title: 'Unreachable: no usable response' },
  refused: {
    verdict: 'refused',
    title: 'Refused: our credentials were not accepted, or the request was denied on its way',
  },
  drifted: { verdict: 'drifted', title: 'Drifted: differs from what was learned of this environment' },
  unknown: { verdict: 'unknown', title: 'Unknown: the suite could not judge' },
  unjudged: { verdict: 'unknown', title: 'Unjudged: the test expects nothing of a call' },
  'spec-mistake': { verdict: 'unknown', title: 'Spec mistake: the message names its line and the cure' },
  'suite-fault': { verdict: 'unknown', title: 'Suite error: a bug in the suite or its configuration' },
  'not-allowed': { verdict: 'skipped', title: 'Skipped: not allowed in this environment' },
  quarantined: { verdict: 'skipped', title: 'Quarantined: it fails, with an owner and an end date' },
  unproven: { verdict: 'skipped', title: 'Unproven: no valid request was accepted for comparison' },
  open: { verdict: 'skipped', title: 'Skipped: the specification leaves it open' },
  'no-data': { verdict: 'skipped', title: 'Skipped: test data is missing' },
} as const satisfies Record<string, { readonly verdict: Verdict; readonly title: string }>;

type Titled = keyof typeof table;

/** The report category of a test. */
export type Category = Verdict | Titled;

export type SkipCategory = { [C in Titled]: (typeof table)[C]['verdict'] extends 'skipped' ? C : never }[Titled];

/** Name of the label in the report, and of the annotation under Playwright. */
export const CATEGORY_LABEL = 'category';

export function verdictOfCategory(category: Category): Verdict {
  return category in table ? table[category as Titled].verdict : (category as Verdict);
}

/** The categories of tests that don't pass, with their titles, the most severe first. */
export function categoryTitles(): { readonly category: Category; readonly title: string }[] {
  return Object.entries(table)
    .sort(([, a], [, b]) => verdicts[b.verdict].severity - verdicts[a.verdict].severity)
    .map(([category, { title }]) => ({ category: category as Titled, title }));
}
