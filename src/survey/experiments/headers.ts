import { Session } from '../../client/index.ts';
import type { InventedData } from '../../scenario/index.ts';
import { type HeaderName, headerSets, headers } from '../../spec/index.ts';
import { Undecided } from '../facts/fact.ts';
import { asSomebodyElse } from './as-somebody-else.ts';
import { type Experiment, type OperationEntry, subjectOf, withComparison } from './experiment.ts';

const perHeader =
  (family: string): Experiment['questions'] =>
  ({ headerSet }) =>
    headerSets[headerSet].map((name) => `${family}:${headers[name].name}`);

const forUsers =
  (question: string): Experiment['questions'] =>
  ({ headerSet }: OperationEntry) =>
    headerSet === 'user' ? [question] : [];

export const missingHeader: Experiment = {
  questions: perHeader('missing-header'),
  run: async (runner, { id }, question) => {
    await withComparison(runner, id);
    const changes = new Map([[subjectOf(question).toLowerCase(), undefined]]);
    return asSomebodyElse(runner, id, { changes });
  },
};

export const wrongHeader: Experiment = {
  questions: perHeader('wrong-header'),
  run: async (runner, { id }, question) => {
    await withComparison(runner, id);
    const name = subjectOf(question).toLowerCase() as HeaderName;
    const changes = new Map([[name as string, wrongValue(name, runner.world.data)]]);
    return asSomebodyElse(runner, id, { changes });
  },
};

function wrongValue(name: HeaderName, data: InventedData): string {
  const { kind } = headers[name];
  if (kind === 'credential') return `${name === 'authorization' ? 'bearer ' : ''}${data.wrongCredential()}`;
  return data.id();
}

export const schemeCase: Experiment = {
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
export const tokenUser: Experiment = {
  questions: forUsers('token-user'),
  run: async (runner, { id }) => {
    await withComparison(runner, id);
    const isReal = runner.isDisposable || runner.environment.friend.userId !== undefined;
    if (!isReal) throw new Undecided('needs a second user: FRIEND_USER_ID or PROVISION_URL');
    const changes = new Map([['mm-user-id', (await runner.world.value('friend')).id]]);
    const { answer, seen } = await asSomebodyElse(runner, id, { changes });
    return { answer: answer === 'accepted' ? 'not tied' : 'tied', seen };
  },
};
