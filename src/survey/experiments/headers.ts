import { Session } from '../../client/index.ts';
import type { InventedData } from '../../scenario/index.ts';
import { type CallableId, type HeaderName, headerSets, headers, undoneChange } from '../../spec/index.ts';
import type { ExperimentRequest, ExperimentRunner } from '../asking/experiment-runner.ts';
import { isAlike, type Twice } from '../asking/reaction.ts';
import { Undecided } from '../facts/fact.ts';
import {
  cameOut,
  type Experiment,
  type Finding,
  type OperationEntry,
  subjectOf,
  withComparison,
} from './experiment.ts';

/** A valid request with another value in each header of its operation. */
const perHeader = (
  family: string,
  given: (name: HeaderName, data: InventedData) => string | undefined,
): Experiment => ({
  questions: ({ headerSet }) => headerSets[headerSet].map((name) => `${family}:${headers[name].name}`),
  run: async (runner, { id }, question) => {
    await withComparison(runner, id);
    const name = subjectOf(question).toLowerCase() as HeaderName;
    return asSomebodyElse(runner, id, { changes: new Map([[name as string, given(name, runner.world.data)]]) });
  },
  check: 'once more',
});

const forUsers =
  (question: string): Experiment['questions'] =>
  ({ headerSet }: OperationEntry) =>
    headerSet === 'user' ? [question] : [];

function wrongValue(name: HeaderName, data: InventedData): string {
  const { kind } = headers[name];
  if (kind === 'credential') return `${name === 'authorization' ? 'bearer ' : ''}${data.wrongCredential()}`;
  return data.id();
}

const schemeCase: Experiment = {
  questions: forUsers('scheme-case'),
  run: async (runner, { id }) => {
    await withComparison(runner, id);
    const found = new Map<string, string>();
    const seen = [];
    for (const scheme of ['Bearer', 'BEARER']) {
      const { context, caller } = await runner.sessionFor(id);
      const session = new Session(context, { ...caller, scheme });
      const finding = await asSomebodyElse(runner, id, { session });
      found.set(scheme, finding.answer);
      seen.push(...finding.seen);
    }
    const accepted = [...found].filter(([, answer]) => answer === 'accepted').map(([scheme]) => scheme);
    if (accepted.length === found.size) return { answer: 'any case', seen };
    return { answer: `only ${['bearer', ...accepted].join(', ')}`, seen };
  },
};

/** Sends the caller's token with the friend's id, which certainly exists. */
const tokenUser: Experiment = {
  questions: forUsers('token-user'),
  run: async (runner, { id }) => {
    await withComparison(runner, id);
    const isReal = runner.isDisposable || runner.environment.friend.userId !== undefined;
    if (!isReal) throw new Undecided('needs a second user: FRIEND_USER_ID or PROVISION_URL');
    const changes = new Map([['mm-user-id', (await runner.world.value('friend')).id]]);
    const { answer, seen } = await asSomebodyElse(runner, id, { changes });
    return { answer: answer === 'accepted' ? 'not tied' : 'tied', seen };
  },
  check: 'once more',
};

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
async function asSomebodyElse(runner: ExperimentRunner, id: CallableId, changed: ChangedRequest): Promise<Finding> {
  if (id === 'deleteItem' && !runner.isDisposable) return ofDeletion(runner, changed);
  const args = await runner.valid(id);
  const exchange = await runner.send(id, args, changed);
  const finding = cameOut(runner, id, exchange);
  const change = undoneChange(id);
  if (finding.answer === 'accepted' || !change) return finding;
  // With the right headers the undo works; a second time there is nothing to undo.
  await runner.send(id, args);
  const forNothing = await twice(runner, id, args);
  if (!isAlike(exchange, forNothing)) return finding;
  const made = await runner.send(change, args, changed);
  if (runner.outcome(change, made).kind !== 'accepted')
    throw new Undecided('it is refused exactly like an undo of nothing', [exchange, forNothing[0]]);
  return cameOut(runner, id, await runner.send(id, args, changed));
}

/** An invented id is enough if the service checks headers before the id; otherwise an item is risked. */
async function ofDeletion(runner: ExperimentRunner, changed: ChangedRequest): Promise<Finding> {
  const id = 'deleteItem';
  const args = { id: runner.world.data.id() };
  const right = await twice(runner, id, args);
  const exchange = await runner.send(id, args, changed);
  if (!isAlike(exchange, right) && runner.outcome(id, exchange).kind === 'refused')
    return cameOut(runner, id, exchange);
  if (changed.session && isAlike(exchange, right)) {
    // Another scheme word identifies the caller as well as a token: where a wrong token is rejected, it was accepted.
    const changes = new Map([['authorization', `bearer ${runner.world.data.wrongCredential()}`]]);
    const stopped = await runner.send(id, args, { changes });
    if (!isAlike(stopped, right) && runner.outcome(id, stopped).kind === 'refused')
      return { answer: 'accepted', seen: [exchange, stopped] };
  }
  return runner.items.risk(async (item) => cameOut(runner, id, await runner.send(id, { id: item }, changed)));
}

/** The same request twice, to see what differs between two responses. */
export async function twice(runner: ExperimentRunner, id: CallableId, args: unknown): Promise<Twice> {
  return [await runner.send(id, args), await runner.send(id, args)];
}
