import { mediaType } from '../call/index.ts';
import { counted, listed } from '../environment/index.ts';
import type { Fact } from '../facts/index.ts';
import { header } from '../http/index.ts';
import type { Answer, Question } from '../questions/index.ts';

/** The result of asking a question: a fact, or a description of the attempts if the question stays open. */
export interface Finding extends Omit<Fact, 'answer'> {
  /** Absent if the question stays open. */
  readonly answer?: string;
  /** Why the question stays open: what the survey tried. */
  readonly tried?: string;
  /** The key of the environment that would make an answer possible. Without it, the suite invents values, which the service refuses. */
  readonly needs?: string;
}

export function isDecided(finding: Finding): finding is Fact {
  return finding.answer !== undefined;
}

/** Removes the answer of a finding, and adds the reason why the question stays open. */
export function undecided({ question, operation, evidence, askedAt }: Finding, tried: string, needs?: string): Finding {
  return { question, operation, evidence, askedAt, tried, ...(needs ? { needs } : {}) };
}

/** Maximum number of open questions that one line lists. If more have the same reason, the line states only their number. */
const MOST_NAMED = 4;

/** One line for each reason why questions stay open, such as `7 questions about saveAvatar need AVATAR_ITEM_IDS`. */
export function unansweredLines(open: readonly Finding[]): string[] {
  const reasonOf = ({ operation, needs, tried }: Finding) => JSON.stringify(needs ? [operation, needs] : [tried]);
  return [...Map.groupBy(open, reasonOf).values()].map((alike) => {
    const [{ operation, needs, tried }] = alike as [Finding];
    const about = listed([...new Set(alike.map((each) => each.operation))]);
    const count = `${counted(alike.length, 'question')} about ${needs ? operation : about}`;
    if (needs) return `${count} ${alike.length === 1 ? 'needs' : 'need'} ${needs}`;
    if (alike.length > MOST_NAMED) return `${count}: ${tried}`;
    return `${alike.map((each) => `${each.operation} ${each.question}`).join(', ')}: ${tried}`;
  });
}

/**
 * The evidence of an answer in words: the requests, whether the service accepted the valid request next to them, and the first and the last
 * response.
 */
export function evidenceOf(
  { experiment }: Pick<Question, 'experiment'>,
  { seen, control }: Pick<Answer, 'seen' | 'control'>,
): string {
  const shown = [...new Set([seen[0], seen.at(-1)])].filter((exchange) => exchange !== undefined);
  const responses = shown.map(({ response, failure }) => {
    if (!response) return `no response (${failure?.phase ?? 'unknown'})`;
    return [response.status, mediaType(header(response, 'content-type')) ?? ''].join(' ').trim();
  });
  const controls = {
    accepted: ' (the valid one is accepted)',
    refused: ' (the valid one is refused too, in another way)',
  };
  const shownControl = control ? controls[control] : '';
  return [`${experiment}${shownControl}`, ...(responses.length > 0 ? [responses.join(', then ')] : [])].join(': ');
}

/** Questions with requests that a service must refuse. If it refuses none, nobody knows how its refusals look. */
const mustBeRefused = /^(malformed-json$|(missing|wrong)-header:)/;

const leansOnAcceptance = /^(accepted|optional|not tied|all that were tried)/;

const leansOnRefusal = /refused|required|^tied|not |of \d+ tried/;

/**
 * Revises the findings about one operation. If the service never refused anything, the answer "accepted" means nothing: the body may report
 * a refusal that the status doesn't show.
 */
export function withoutEmptyAcceptance(findings: readonly Finding[]): Finding[] {
  const asked = findings.filter((finding) => mustBeRefused.test(finding.question) && isDecided(finding));
  const isMute = asked.length >= 2 && asked.every(({ answer = '' }) => answer.startsWith('accepted'));
  const tried = 'no invalid request was refused; if the body signals success, set SUCCESS_WHEN';
  return leftUndecided(findings, ({ answer = '' }) => isMute && leansOnAcceptance.test(answer), tried);
}

/**
 * Whether the requests behind an answer changed nothing, so that nothing must be undone before the next question. A refused unlove, for
 * example, leaves the love in place.
 */
export function leavesNothing(answer = ''): boolean {
  return /^(refused|required|tied)/.test(answer);
}

/**
 * Whether an answer is based on a refusal. An answer of this kind is true only if the service still accepted valid requests at that time.
 */
export function isOfRefusal({ question, answer = '' }: Finding): boolean {
  return question === 'error-shape' || leansOnRefusal.test(answer);
}

/**
 * Revises the findings about an operation that no longer accepts its valid request, because the same reason may explain the earlier
 * refusals.
 */
export function withoutLateRefusals(findings: readonly Finding[], why: string): Finding[] {
  return leftUndecided(findings, isOfRefusal, `afterwards ${why}, so the reason for the refusal is unclear`);
}

function leftUndecided(findings: readonly Finding[], isDoubtful: (fact: Finding) => boolean, tried: string): Finding[] {
  return findings.map((finding) => (isDoubtful(finding) ? undecided(finding, tried) : finding));
}
