import type { Fact } from '../facts/index.ts';
import { headers } from '../service/index.ts';
import { isLoose } from './question.ts';

/** The impact of a difference on a consumer that relies on the earlier state. */
export type Impact = 'breaking' | 'safe' | 'unknown';

/** The impact of a changed answer on a consumer; `undefined` if it is unchanged. */
export function factImpact({ question, answer: before }: Pick<Fact, 'question' | 'answer'>, after: string) {
  if (before === after) return undefined;
  const rule = rules.find(([questions]) => questions.test(question));
  return rule ? rule[1](before, after) : 'unknown';
}

/** Whether an answer says that the service does not check a credential, or not to whom it belongs. */
export function leavesUnchecked(question: string, answer: string): boolean {
  const [family = '', name] = question.split(':');
  const isOfCredential = Object.values(headers).some((header) => header.name === name && header.kind === 'credential');
  return (
    isLoose(answer) && (/^(token-user|foreign-item)$/.test(family) || (family.endsWith('-header') && isOfCredential))
  );
}

type Rule = (before: string, after: string) => Impact;

const breaking: Rule = () => 'breaking';

/** A refusal instead of an acceptance breaks consumers. Another status of a refusal breaks consumers that handle the old one. */
const acceptance: Rule = (a, b) => {
  if (isLoose(b)) return isLoose(a) ? 'unknown' : 'safe';
  return 'breaking';
};

const values: Rule = (a, b) => {
  const [from, to] = [a, b].map((text) => (text.split(/; | of \d/)[0] ?? '').split(', ')) as [string[], string[]];
  return from.every((value) => to.includes(value)) ? 'safe' : 'breaking';
};

/** The rules for the impact of a changed answer; the first match applies. */
const rules: readonly (readonly [questions: RegExp, rule: Rule])[] = [
  [/^(success-status|error-shape|paging|includes-effect|profile-names|default-fallback)$/, breaking],
  [/^(report-codes|languages)$/, values],
  // The new answer of a run names only the one value whose outcome has changed.
  [/^(allowed-values):/, (_, b) => (/ is refused( with \d{3})?$/.test(b) ? 'breaking' : 'unknown')],
  // The differences of the schemas are reported separately, and are more precise than this description of them.
  [/^answer-shape$/, () => 'unknown'],
  // A response that shows more than before breaks no consumer.
  [/^(avatar-(shown|items)|options-by-language)$/, (_, b) => (/^(shown|own)$/.test(b) ? 'safe' : 'breaking')],
  [/./, acceptance],
];
