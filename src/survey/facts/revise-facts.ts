import { type Fact, UNDECIDED } from './fact.ts';

/** At least one of these questions must be refused, otherwise the shape of a refusal is unknown. */
const mustBeRefused = /^(malformed-json|method-not-allowed|(missing|wrong)-header:)/;

/** Answers that depend on an acceptance. */
const leansOnAcceptance = /^(accepted|optional|any case|not tied|none up to|all that were tried|[A-Z]+ is accepted)/;

/** Answers that depend on a refusal. */
const leansOnRefusal = /refused|required|tied|only |not |, else/;

/**
 * Revises the facts of one operation: if nothing was ever refused, "accepted" means nothing, because the body may
 * signal what the status doesn't.
 */
export function withoutEmptyAcceptance(facts: readonly Fact[]): Fact[] {
  const asked = facts.filter(({ question, answer }) => mustBeRefused.test(question) && answer !== UNDECIDED);
  const isMute = asked.length >= 2 && asked.every(({ answer }) => /^accepted|is accepted/.test(answer));
  if (!isMute) return [...facts];
  return facts.map((fact) =>
    leansOnAcceptance.test(fact.answer)
      ? undecided(fact, 'no invalid request was refused; if the body signals success, set SUCCESS_WHEN')
      : fact,
  );
}

/** Revises the facts of an operation whose valid request is no longer accepted, which may explain earlier refusals. */
export function withoutLateRefusals(facts: readonly Fact[], why: string): Fact[] {
  return facts.map((fact) =>
    fact.question === 'error-shape' || leansOnRefusal.test(fact.answer)
      ? undecided(fact, `afterwards ${why}, so the reason for the refusal is unclear`)
      : fact,
  );
}

function undecided(fact: Fact, tried: string): Fact {
  return { ...fact, answer: UNDECIDED, tried };
}
