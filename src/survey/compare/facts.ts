import { type Fact, UNDECIDED } from '../facts/fact.ts';
import type { Impact } from './schemas.ts';

/** The impact of a changed answer on a consumer; `undefined` if it is unchanged. */
export function factImpact(before: Fact, after: Fact): Impact | undefined {
  const [a, b] = [before.answer, after.answer];
  if (a === b) return undefined;
  if (a === UNDECIDED || b === UNDECIDED) return 'unknown';
  const rule = rules.find(([questions]) => questions.test(before.question));
  return rule ? rule[1](a, b) : 'unknown';
}

type Rule = (before: string, after: string) => Impact;

const breaking: Rule = () => 'breaking';

/** A refusal instead of an acceptance breaks consumers; another refusal status breaks those that handle the old one. */
const acceptance: Rule = (a, b) => {
  if (isLoose(b)) return isLoose(a) ? 'unknown' : 'safe';
  return 'breaking';
};

/** More values are safe, fewer are not. */
const values: Rule = (a, b) => {
  const [from, to] = [a, b].map((text) => (text.split(/; | of \d/)[0] ?? '').split(', ')) as [string[], string[]];
  return from.every((value) => to.includes(value)) ? 'safe' : 'breaking';
};

const limit: Rule = (a, b) => {
  const [from, to] = [a, b].map((text) => Number(/\d+/.exec(text)?.[0] ?? Number.NaN));
  return from === undefined || to === undefined || Number.isNaN(from + to)
    ? 'unknown'
    : to >= from
      ? 'safe'
      : 'breaking';
};

const delay: Rule = (a) => (a === 'at once' ? 'breaking' : 'safe');

/** First match wins. */
const rules: readonly (readonly [questions: RegExp, rule: Rule])[] = [
  [/^(success-status|error-shape|paging|includes-effect|default-fallback|own-request)$/, breaking],
  [/^(report-codes|languages)$/, values],
  [/^text-limit:/, limit],
  [/^block-visible$/, delay],
  [/^(allowed-values):/, () => 'unknown'],
  // The schemas are more precise than their description.
  [/^answer-shape$/, () => 'unknown'],
  [/./, acceptance],
];

function isLoose(answer: string): boolean {
  return /^(accepted|optional|any case|not tied|[A-Z]+ is accepted)/.test(answer);
}
