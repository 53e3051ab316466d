import type { Fact } from '../facts/index.ts';
import { headers } from '../service/index.ts';
import { isLoose } from './question.ts';

/** The effect of a change of the service on a consumer that relies on the earlier state. */
export type Impact = 'breaking' | 'safe' | 'unknown';

/** The effect of a changed answer on a consumer; `undefined` if the answer is the same. */
export function factImpact({ question, answer: before }: Pick<Fact, 'question' | 'answer'>, after: string) {
  if (before === after) return undefined;
  const rule = rules.find(([questions]) => questions.test(question));
  return rule ? rule[1](before, after) : 'unknown';
}

/** Whether an answer says that the service doesn't check a credential, or doesn't check whose it is. */
export function leavesUnchecked(question: string, answer: string): boolean {
  const [family = '', name] = question.split(':');
  const isOfCredential = Object.values(headers).some((header) => header.name === name && header.kind === 'credential');
  return (
    isLoose(answer) && (/^(token-user|foreign-item)$/.test(family) || (family.endsWith('-header') && isOfCredential))
  );
}

type Rule = (before: string, after: string) => Impact;

const breaking: Rule = () => 'breaking';

/** A new refusal breaks consumers. So does a refusal with another status, because consumers may handle the old one. */
const acceptance: Rule = (a, b) => {
  if (isLoose(b)) return isLoose(a) ? 'unknown' : 'safe';
  return 'breaking';
};

const values: Rule = (a, b) => {
  const [from, to] = [a, b].map((text) => (text.split(/; | of \d/)[0] ?? '').split(', ')) as [string[], string[]];
  return from.every((value) => to.includes(value)) ? 'safe' : 'breaking';
};

/** Rules for the effect of a changed answer. The first one that matches applies. */
const rules: readonly (readonly [questions: RegExp, rule: Rule])[] = [
  [/^(success-status|error-shape|paging|includes-effect|profile-names|default-fallback)$/, breaking],
  [/^(report-codes|languages)$/, values],
  // The new answer of a run names only one value: the value that the service now accepts, or refuses.
  [/^(allowed-values):/, (_, b) => (/ is refused( with \d{3})?$/.test(b) ? 'breaking' : 'unknown')],
  // The differences of the schemas are reported separately, and are more precise than this answer.
  [/^answer-shape$/, () => 'unknown'],
  // No consumer breaks if a response shows more than before.
  [/^(avatar-(shown|items)|options-by-language)$/, (_, b) => (/^(shown|own)$/.test(b) ? 'safe' : 'breaking')],
  [/./, acceptance],
];
