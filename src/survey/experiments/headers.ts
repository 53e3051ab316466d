import { Session } from '../../client/index.ts';
import type { InventedData } from '../../scenario/index.ts';
import { type HeaderName, headerSets, headers, undoneChange } from '../../spec/index.ts';
import type { ExperimentRequest } from '../asking/experiment-runner.ts';
import type { Question } from '../asking/question.ts';
import { isAlike } from '../asking/reaction.ts';
import { type Finding, Undecided } from '../facts/fact.ts';
import { type Experiment, oneQuestion } from './experiment.ts';

const perHeader = (
  family: string,
  given: (name: HeaderName, data: InventedData) => string | undefined,
): Experiment => ({
  questions: ({ headerSet }) => headerSets[headerSet].map((name) => `${family}:${headers[name].name}`),
  run: async (question) => {
    await question.withComparison();
    const name = question.subject.toLowerCase() as HeaderName;
    return asSomebodyElse(question, { changes: new Map([[name as string, given(name, question.runner.world.data)]]) });
  },
  check: 'once more',
});

function wrongValue(name: HeaderName, data: InventedData): string {
  const { kind } = headers[name];
  if (kind === 'credential') return `${name === 'authorization' ? 'bearer ' : ''}${data.wrongCredential()}`;
  return data.id();
}

const isOfUsers = ({ headerSet }: Question['entry']) => headerSet === 'user';

const schemeCase = oneQuestion('scheme-case', isOfUsers, async (question) => {
  await question.withComparison();
  const accepted = ['bearer'];
  const seen = [];
  for (const scheme of ['Bearer', 'BEARER']) {
    const { context, caller } = await question.runner.sessionFor(question.id);
    const finding = await asSomebodyElse(question, { session: new Session(context, { ...caller, scheme }) });
    if (finding.answer === 'accepted') accepted.push(scheme);
    seen.push(...finding.seen);
  }
  return { answer: accepted.length === 3 ? 'any case' : `only ${accepted.join(', ')}`, seen };
});

/** Sends the caller's token with the friend's id, which certainly exists. */
const tokenUser = oneQuestion(
  'token-user',
  isOfUsers,
  async (question) => {
    const { runner } = question;
    await question.withComparison();
    const isReal = runner.isDisposable || runner.environment.friend.userId !== undefined;
    if (!isReal) throw new Undecided('needs a second user: FRIEND_USER_ID or PROVISION_URL');
    const changes = new Map([['mm-user-id', (await runner.world.value('friend')).id]]);
    const { answer, seen } = await asSomebodyElse(question, { changes });
    return { answer: answer === 'accepted' ? 'not tied' : 'tied', seen };
  },
  'once more',
);

export const headerExperiments: readonly Experiment[] = [
  perHeader('missing-header', () => undefined),
  perHeader('wrong-header', wrongValue),
  schemeCase,
  tokenUser,
];

type ChangedRequest = Pick<ExperimentRequest, 'changes' | 'session'>;

/**
 * Sends a valid request with other headers. Its refusal counts only if there can't be another reason: that there is
 * nothing to undo for the user in the headers, or nothing to delete.
 */
async function asSomebodyElse(question: Question, changed: ChangedRequest): Promise<Finding> {
  if (question.takesRealItem) return ofDeletion(question, changed);
  const { runner } = question;
  const args = await question.valid();
  const exchange = await question.send(args, changed);
  const finding = question.cameOut(exchange);
  const change = undoneChange(question.id);
  if (finding.answer === 'accepted' || !change) return finding;
  // With the right headers the undo works; a second time there is nothing to undo.
  await question.send(args);
  const forNothing = await question.twice(() => args);
  if (!isAlike(exchange, forNothing)) return finding;
  const made = await runner.send(change, args, changed);
  if (runner.outcome(change, made).kind !== 'accepted')
    throw new Undecided('it is refused exactly like an undo of nothing', [exchange, forNothing[0]]);
  return question.sendInvalid(args, changed);
}

/** An invented id is enough if the service checks headers before the id; otherwise an item is risked. */
async function ofDeletion(question: Question, changed: ChangedRequest): Promise<Finding> {
  const { data } = question.runner.world;
  const args = { id: data.id() };
  const right = await question.twice(() => args);
  const exchange = await question.send(args, changed);
  const isStopped = (each: typeof exchange) => !isAlike(each, right) && question.outcome(each).kind === 'refused';
  if (isStopped(exchange)) return question.cameOut(exchange);
  if (changed.session && isAlike(exchange, right)) {
    // Another scheme word identifies the caller as well as a token: where a wrong token is rejected, it was accepted.
    const changes = new Map([['authorization', `bearer ${data.wrongCredential()}`]]);
    const wrong = await question.send(args, { changes });
    if (isStopped(wrong)) return { answer: 'accepted', seen: [exchange, wrong] };
  }
  return question.runner.items.risk((item) => question.sendInvalid({ id: item }, changed));
}
