import { KNOWN_REPORT_CODE } from '../../schemas/index.ts';
import type { Exchange } from '../http/index.ts';
import type { CallableId } from '../service/index.ts';
import { SuiteFault } from '../verdict/index.ts';
import { type Asker, type Body, NotAccepted, Undecided } from './asker/asker.ts';
import { every, once, type Question } from './question.ts';
import { triedLanguages } from './report-options.ts';

/**
 * The number of samples. A schema calls a field required only after 20 samples with one status, and the first response may have another
 * status than all later responses.
 */
const SAMPLES = 25;
/** The number of samples if they change real data for good, which must happen as rarely as possible. */
const LASTING_SAMPLES = 2;

const success: Question['ask'] = async (asker) => {
  const { entry, id, requests } = asker;
  const isLasting = entry.effect === 'irreversible' && !requests.isDisposable;
  const statuses = () => [...requests.successes(id)].sort((a, b) => a.firstAt - b.firstAt).map(({ status }) => status);
  const seen = await sample(asker, isLasting ? LASTING_SAMPLES : SAMPLES).catch((error: unknown) => {
    // The service may accept only one report of the story from a user, and a scenario may have sent it. The response to that report is
    // enough.
    if (error instanceof Undecided && isLasting && statuses().length > 0) return [];
    throw error;
  });
  const isHalfSeen = id === 'saveAvatar' && statuses().length === 1 && !requests.isDisposable;
  return { answer: `${statuses().join(', ')}${isHalfSeen ? HALF_SEEN : ''}`, seen };
};

/** The statuses of all successes so far, including those of scenarios, in the order of their first occurrence. */
export const successStatus: Question = {
  id: 'success-status',
  of: once('success-status', every),
  openIn: 'part 4, rule 8: success status codes are not shown',
  answers: 'the statuses',
  form: /^2\d\d(, 2\d\d)*(; the first save of an avatar was not observed)?$/,
  broken: ({ was, now }) => [`answers ${now}`, `it answered ${was}`],
  experiment: 'several valid requests that differ in their content',
  ask: success,
};

/** The shape of an operation's successes, derived from all responses so far. */
export const answerShape: Question = {
  id: 'answer-shape',
  of: once('answer-shape', every),
  openIn: 'part 2: fields of every response record are not shown',
  answers: 'the names and types of the fields, or no body',
  form: /./,
  broken: ({ was, now }) => [`responds with ${now}`, `it responded with ${was}`],
  experiment: 'all successes so far',
  ask: async (asker) => {
    await asker.withComparison();
    const control = asker.lastControl()?.exchange;
    const [most] = [...asker.requests.successes(asker.id)].sort((a, b) => b.samples - a.samples);
    if (most === undefined && asker.requests.refusedControl(asker.id))
      throw new NotAccepted('a valid request was not accepted');
    if (most?.shape === undefined) throw new Undecided('its responses contain no JSON');
    return { answer: most.shape, seen: control ? [control] : [] };
  },
};

/**
 * Added to the answer if only one status was seen. The first save of an avatar may have another status, but a real user may have had an
 * avatar before the survey.
 */
const HALF_SEEN = '; the first save of an avatar was not observed';

/** An earlier deletion of a real item, if there was one. All questions use it, so that no further item is deleted. */
const earlierOf = (asker: Asker) => (asker.takesRealItem ? asker.lastControl() : undefined);

async function sample(asker: Asker, count: number): Promise<Exchange[]> {
  const { effect } = asker.entry;
  const accepted = [earlierOf(asker)?.exchange ?? (await asker.control())];
  // A repeated change may have another status than the first: unchanged instead of created.
  if (effect === 'reversible' || effect === 'overwriting') await asker.send(asker.lastControl()?.args);
  for await (const args of variedArguments(asker, count - 1)) {
    const exchange = await asker.send(args);
    if (asker.outcome(exchange).kind === 'refused') continue;
    accepted.push(exchange);
    if (effect === 'read') asker.requests.knows(asker.id, exchange);
  }
  const unclear = accepted.find(({ response }) => !response || response.status >= 300);
  if (unclear) throw new Undecided(`valid requests had different outcomes: ${unclear.response?.status}`, [unclear]);
  return accepted;
}

/** Creates up to `count` valid requests on demand. They differ in everything that a response might depend on. */
async function* variedArguments(asker: Asker, count: number): AsyncGenerator<unknown> {
  const vary = variations[asker.id];
  if (asker.entry.isPaged) await fillLists(asker);
  // If items are real, no further deletion is sent, because each would delete another item.
  if (asker.takesRealItem) return;
  for (let index = 0; index < count; index++) {
    const valid = await asker.valid();
    yield vary ? await vary(valid, index, asker) : valid;
  }
}

type Vary = (valid: Body, index: number, asker: Asker) => unknown;

const invented: Vary = (_, __, { requests: { data, session } }) => ({
  friendId: data.idLike(session.caller.userId),
});
const partial: Vary = (valid, index, { requests }) =>
  index % 2 === 0 ? valid : { includes: 'name', name: requests.data.text() };

const variations: Partial<Record<CallableId, Vary>> = {
  block: invented,
  unblock: async (valid, index, asker) => {
    const args = await invented(valid, index, asker);
    await asker.requests.prepare('unblock', args);
    return args;
  },
  reportOptions: (valid, index) => (index % 2 === 0 ? valid : { language: triedLanguages[(index >> 1) % 3] }),
  report: (valid) => ({ ...valid, reports: [KNOWN_REPORT_CODE] }),
  // A new default version affects all users, so it is set only if a provisioner makes all data disposable.
  cloneType: (valid, index, { requests }) => ({
    ...valid,
    IsSetDefaultTypeVersion: requests.isDisposable && index % 2 === 0,
  }),
  updateProfile: partial,
  getFriendProfile: partial,
  saveAvatar: (valid, index) => (index % 3 === 0 ? { ...valid, items: [], includes: '' } : valid),
  evaluate: (valid, index, { requests: { environment } }) =>
    index % 2 === 0 && environment.data.flagKey ? { ...valid, key: environment.data.flagKey } : valid,
  readProfile: async (valid, index, { requests }) => (index % 2 === 0 ? valid : { userId: await requests.friendId() }),
};

/** Adds one entry to each list, if the environment allows it, because an empty list shows no fields. */
async function fillLists({ requests }: Asker): Promise<void> {
  try {
    await requests.send('block', await requests.valid('block'));
    const friend = await requests.friendSession();
    if (friend) await requests.send('block', { friendId: requests.session.caller.userId }, { session: friend });
  } catch (error) {
    if (!(error instanceof Undecided || error instanceof SuiteFault)) throw error;
  }
}
