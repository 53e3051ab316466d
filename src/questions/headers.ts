import { type HeaderName, headerSets, headers, undoneChange } from '../service/index.ts';
import { type Answer, type AskedData, type Asker, type ExperimentRequest, Undecided } from './asker/asker.ts';
import { isAlike } from './asker/reaction.ts';
import { once, outcomes, type Question, requestWords } from './question.ts';
import { refusalForNothing } from './repeat.ts';

const perHeader = (
  id: string,
  request: string,
  experiment: string,
  given: (name: HeaderName, asker: Asker) => string | undefined,
  isAsked: (name: HeaderName) => boolean = () => true,
): Question => ({
  id,
  of: ({ headerSet }) => headerSets[headerSet].filter(isAsked).map((name) => `${id}:${headers[name].name}`),
  openIn: 'part 5 lists the headers of a request, but does not say that each is checked',
  ...outcomes,
  broken: requestWords((name) => `${request} ${name}`),
  experiment,
  askedByRuns: true,
  ask: async (asker) => {
    const name = asker.subject.toLowerCase() as HeaderName;
    return asSomebodyElse(asker, new Map([[name as string, given(name, asker)]]));
  },
  hold: 'again',
});

/** A value that no user, client or app has in this header. */
export function wrongValue(name: HeaderName, data: AskedData): string {
  if (headers[name].kind !== 'credential') return data.id();
  return `${name === 'authorization' ? 'bearer ' : ''}${data.wrongCredential()}`;
}

const missing = perHeader(
  'missing-header',
  'a request without',
  'a valid request, and the same without the header',
  () => undefined,
);

/** The question about empty headers. It isn't asked about credentials: an empty credential counts as a missing one. */
const empty = perHeader(
  'empty-header',
  'an empty',
  'a valid request, and the same with an empty header',
  () => '',
  (name) => headers[name].kind !== 'credential',
);

const wrong = perHeader(
  'wrong-header',
  'an invented',
  'a valid request, and the same with an invented value',
  (name, { requests }) => wrongValue(name, requests.data),
);

/** Sends the caller's token with the id of another user, the friend, who certainly exists. */
const tokenUser: Question = {
  id: 'token-user',
  of: once('token-user', ({ headerSet }) => headerSet === 'user'),
  openIn: 'part 5: validation of the token is not shown',
  answers: "tied: a token is for one user; not tied: the service doesn't compare the id next to it",
  form: /^(not )?tied$/,
  broken: requestWords(() => 'the id of another user next to a token'),
  experiment: "a valid request, and the same with the id of another user next to the caller's token",
  askedByRuns: true,
  ask: async (asker) => {
    const { requests } = asker;
    const isReal = requests.isDisposable || requests.environment.friend.userId !== undefined;
    if (!isReal) throw new Undecided('needs a second user: FRIEND_USER_ID or PROVISION_URL');
    const { answer, ...rest } = await asSomebodyElse(asker, new Map([['mm-user-id', await requests.friendId()]]));
    return { ...rest, answer: answer === 'accepted' ? 'not tied' : 'tied' };
  },
  hold: 'again',
};

export const headerQuestions: readonly Question[] = [missing, empty, wrong, tokenUser];

/**
 * Sends a valid request with other headers. A refusal is an answer only if nothing but the headers explains it. Another explanation is, for
 * example, that the user in the headers has nothing to undo or to delete.
 */
async function asSomebodyElse(asker: Asker, changes: NonNullable<ExperimentRequest['changes']>): Promise<Answer> {
  if (asker.takesRealItem) {
    await asker.withComparison();
    return ofDeletion(asker, changes);
  }
  const { requests } = asker;
  const args = await asker.toChange();
  const exchange = await asker.send(args, { changes });
  const found = asker.cameOut(exchange);
  const change = undoneChange(asker.id);
  if (found.answer === 'accepted' || !change) return found;
  const forNothing = await refusalForNothing(asker, args, async () => {
    // With the right headers this undo succeeds, so the next two requests have nothing to undo.
    await asker.send(args);
    return asker.twice(() => args);
  });
  if (!isAlike(exchange, forNothing)) return found;
  const made = await requests.send(change, args, { changes });
  if (requests.outcome(change, made).kind !== 'accepted')
    throw new Undecided('it is refused exactly like an undo of nothing', [exchange, forNothing[0]]);
  return asker.sendInvalid(args, { changes });
}

/**
 * Sends the deletion of an invented item with other headers. If the response doesn't show that the service refuses these headers, sends the
 * deletion of a real item.
 */
async function ofDeletion(asker: Asker, changes: NonNullable<ExperimentRequest['changes']>): Promise<Answer> {
  const { requests } = asker;
  const args = await requests.remembered(`${asker.id} of nothing`, async () => ({ id: requests.data.id() }));
  const right = await refusalForNothing(asker, args, () => asker.twice(() => args));
  const exchange = await asker.send(args, { changes });
  if (!isAlike(exchange, right) && asker.outcome(exchange).kind === 'refused') return asker.cameOut(exchange);
  return requests.riskItem((item) => asker.sendInvalid({ id: item }, { changes }));
}
