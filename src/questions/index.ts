/*
 * The open questions of the specification: one question a file, with its experiment. A question gets an asker, which sends the requests of
 * the experiment. The question returns an answer with its evidence, or the reason why the question stays open.
 */
import type { Fact } from '../facts/index.ts';
import { type CallableId, callableIds, operation, readProfile } from '../service/index.ts';
import { allowedValues } from './allowed-values.ts';
import type { AskedEnvironment, OperationEntry } from './asker/asker.ts';
import { blockLists } from './block-lists.ts';
import { bodies } from './bodies.ts';
import { errorShape } from './error-shape.ts';
import { flags } from './flags.ts';
import { forms, reports } from './forms.ts';
import { headerQuestions } from './headers.ts';
import { factImpact, leavesUnchecked } from './impact.ts';
import { loveShown } from './loves.ts';
import { profile } from './profile-includes.ts';
import { profileNames } from './profile-names.ts';
import type { Question } from './question.ts';
import { repeat } from './repeat.ts';
import { reportOptions } from './report-options.ts';
import { seenOnce } from './seen-once.ts';
import { answerShape, successStatus } from './success.ts';
import { unknownThings } from './unknown-things.ts';

/** Every question, in the order of a survey: valid requests come before invalid ones. */
export const questions: readonly Question[] = [
  ...forms,
  successStatus,
  ...reports,
  ...blockLists,
  ...reportOptions,
  ...flags,
  profileNames,
  ...profile,
  answerShape,
  ...bodies,
  allowedValues,
  ...headerQuestions,
  ...unknownThings,
  errorShape,
  repeat,
  loveShown,
  ...seenOnce,
];

/** Looks up a question by its name in facts, e.g. `required-field:name`; `undefined` if the operation has no question with this name. */
export function questionNamed(name: string, entry: OperationEntry): Question | undefined {
  return questions.find((question) => question.of(entry).includes(name));
}

/** The mistake in a fact; `undefined` if it has none. A person may have written the fact, so it can have any name and answer. */
export function factProblem({ question: name, operation: id, answer }: Fact): string | undefined {
  if (!callableIds.includes(id as CallableId)) return `operation is none of ${callableIds.join(', ')}`;
  const entry = entryOf(id as CallableId);
  const found = questionNamed(name, entry);
  if (!found) {
    const known = [...new Set(questions.flatMap(({ of, id: family }) => (of(entry).length > 0 ? [family] : [])))];
    return `question is none that is asked about ${id}: ${known.join(', ')}; a family takes a subject after a colon, e.g. missing-header:mm-client-id`;
  }
  if (!found.form.test(answer)) return `answer ${JSON.stringify(answer.slice(0, 80))} is not one of: ${found.answers}`;
  return undefined;
}

/** The words for a fact that no longer holds. `breaks`: the change breaks a consumer, or leaves a credential unchecked. */
export function brokenAnswer(fact: Fact, now: string) {
  const { question: name, operation: id, answer: was } = fact;
  const [, subject = ''] = /:(.*)$/.exec(name) ?? [];
  const question = questionNamed(name, entryOf(id as CallableId));
  const [says, before] = question?.broken({ subject, was, now }) ?? [`${name} is ${now}`, `it was ${was}`];
  return { says, before, breaks: factImpact(fact, now) === 'breaking' || leavesUnchecked(name, now) };
}

/** An operation of an environment; `undefined` for `readProfile` if the environment doesn't say how the team reads a profile. */
export function entryIn(environment: Pick<AskedEnvironment, 'readProfile'>, id: CallableId) {
  const row = id === readProfile.id ? environment.readProfile : operation(id);
  return row && { ...row, id };
}

/** An operation of the specification, or `readProfile` with a placeholder as its path, because no question depends on the path. */
function entryOf(id: CallableId): OperationEntry {
  return entryIn({ readProfile: { ...readProfile, method: 'GET', path: '/v1/profile' } }, id) as OperationEntry;
}

export type {
  Answer,
  Asker,
  Body,
  Control,
  ExperimentRequest,
  OperationEntry,
  Requests,
  Success,
} from './asker/asker.ts';
export { NotAccepted, Undecided } from './asker/asker.ts';
export {
  isAlike,
  isIn,
  type Look,
  lookOf,
  looksLike,
  type Reaction,
  reactionOf,
  type Twice,
} from './asker/reaction.ts';
export { UNKNOWN_FIELD } from './bodies.ts';
export { flagAnswer, followsDefault, switchesIn, switchPairs, valuesIn } from './flags.ts';
export { argumentForms, formQuestionOf } from './forms.ts';
export { wrongValue } from './headers.ts';
export { factImpact, type Impact } from './impact.ts';
export { lookIn, marksOf, NOTHING_SHOWS } from './loves.ts';
export { type ProfileField, profileFields, shownNames } from './profile-names.ts';
export { isLoose, isSameAnswer, type Question } from './question.ts';
export { languagesIn, wordsDiffer, wordsOf } from './report-options.ts';
export { avatarItemsAnswer, spacesAnswer } from './seen-once.ts';
export { partialUpdateAnswer, type ShownField, shownField, type WrittenProfile } from './shown-fields.ts';
