import { KNOWN_REPORT_CODE } from '../../../schemas/index.ts';
import { type Exchange, SuiteFault } from '../../client/index.ts';
import { Skipped } from '../../scenario/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { Body, Question } from '../asking/question.ts';
import { Undecided } from '../facts/fact.ts';
import { type KindSamples, kindSize } from '../inference/samples.ts';
import { inferSchema, shapeText } from '../inference/schema.ts';
import { among, type Experiment, every, oneQuestion } from './experiment.ts';
import { triedLanguages } from './report-options.ts';

/** Enough samples for a required field, without the first one, which may have another status. */
const SAMPLES = 25;
/** Irreversible changes of real data are made no more often than necessary. */
const LASTING_SAMPLES = 2;

/**
 * Sends varied valid requests; the answer lists the statuses of all accepted ones so far, including those of scenarios, in the
 * order of their first occurrence.
 */
export const successStatus = oneQuestion('success-status', every, async (question) => {
  const { entry, id, runner } = question;
  const isLasting = entry.effect === 'irreversible' && !runner.isDisposable;
  const statuses = () =>
    successes(question)
      .sort(([, a], [, b]) => a.firstAt - b.firstAt)
      .map(([kind]) => kind);
  const seen = await sample(question, isLasting ? LASTING_SAMPLES : SAMPLES).catch((error: unknown) => {
    // A story may have been reported by a scenario, and can't be again.
    if (error instanceof Undecided && isLasting && statuses().length > 0) return [];
    throw error;
  });
  const isHalfSeen = id === 'saveAvatar' && statuses().length === 1 && !runner.isDisposable;
  return { answer: `${statuses().join(', ')}${isHalfSeen ? HALF_SEEN : ''}`, seen };
});

function successes({ runner, id }: Question): [status: string, observed: KindSamples][] {
  return runner.samples.of(id).filter(([kind]) => /^2\d\d$/.test(kind));
}

/** Whether a real user had an avatar before is unknown, and an avatar can't be removed. */
const HALF_SEEN = '; the first save of an avatar was not observed';

/** With real items, one deletion is enough for all questions. */
const earlierOf = (question: Question) => (question.takesRealItem ? question.lastControl() : undefined);

async function sample(question: Question, count: number): Promise<Exchange[]> {
  const { effect } = question.entry;
  const accepted = [earlierOf(question)?.exchange ?? (await question.control())];
  // A repeated change may have another status: first created, then unchanged.
  if (effect === 'reversible' || effect === 'overwriting') await question.send(question.lastControl()?.args);
  for await (const args of variedArguments(question, count - 1)) {
    const exchange = await question.send(args);
    if (question.outcome(exchange).kind === 'refused') continue;
    accepted.push(exchange);
    if (effect === 'read') question.runner.knows(question.id, exchange);
  }
  const unclear = accepted.find(({ response }) => !response || response.status >= 300);
  if (unclear) throw new Undecided(`valid requests had different outcomes: ${unclear.response?.status}`, [unclear]);
  return accepted;
}

const isRepeatable = among('block', 'unblock', 'love', 'unlove', 'deleteItem', 'saveAvatar', 'cloneType');

const sentTwice: Experiment['run'] = async (question) => {
  const earlier = earlierOf(question);
  const args = earlier?.args ?? (await question.valid());
  const first = earlier?.exchange ?? (await question.control(args));
  const { answer, seen } = await question.sendInvalid(args);
  return { answer, seen: [first, ...seen] };
};

export const repeat = oneQuestion('repeat', isRepeatable, sentTwice, 'once more');

/** Derives the shape of an operation's successes from all responses so far. */
export const answerShape = oneQuestion('answer-shape', every, async (question) => {
  await question.withComparison();
  const control = question.lastControl()?.exchange;
  const [[, most] = []] = successes(question).sort(([, a], [, b]) => kindSize(b) - kindSize(a));
  if (!most || most.withText > 0) throw new Undecided('its responses contain no JSON');
  return { answer: shape(most), seen: control ? [control] : [], samples: kindSize(most) };
});

function shape({ withJson, empty, values }: KindSamples): string {
  if (withJson === 0) return 'no body';
  const text = shapeText(inferSchema(values));
  return empty > 0 ? `${text}, or no body` : text;
}

/** Up to `count` valid requests of an operation that differ in everything a response might depend on, created on demand. */
async function* variedArguments(question: Question, count: number): AsyncGenerator<unknown> {
  const vary = variations[question.id];
  if (question.entry.isPaged) await fillLists(question);
  // Each id is a stored item, gone after one request.
  if (question.takesRealItem) return;
  for (let index = 0; index < count; index++) {
    const valid = await question.valid();
    yield vary ? await vary(valid, index, question) : valid;
  }
}

type Vary = (valid: Body, index: number, question: Question) => unknown;

const invented: Vary = (_, __, { runner: { world, session } }) => ({
  friendId: world.data.idLike(session.caller.userId),
});
const partial: Vary = (valid, index, { runner }) =>
  index % 2 === 0 ? valid : { includes: 'name', name: runner.world.data.text() };

const variations: Partial<Record<CallableId, Vary>> = {
  block: invented,
  unblock: async (valid, index, question) => {
    const args = await invented(valid, index, question);
    await question.runner.prepare('unblock', args);
    return args;
  },
  reportOptions: (valid, index) => (index % 2 === 0 ? valid : { language: triedLanguages[(index >> 1) % 3] }),
  report: (valid) => ({ ...valid, reports: [KNOWN_REPORT_CODE] }),
  // The default version affects all users, so it isn't changed.
  cloneType: (valid, index, { runner }) => ({
    ...valid,
    IsSetDefaultTypeVersion: runner.isDisposable && index % 2 === 0,
  }),
  updateProfile: partial,
  getFriendProfile: partial,
  saveAvatar: (valid, index) => (index % 3 === 0 ? { ...valid, items: [], includes: '' } : valid),
  evaluate: (valid, index, { runner: { environment } }) =>
    index % 2 === 0 && environment.data.flagKey ? { ...valid, key: environment.data.flagKey } : valid,
  readProfile: async (valid, index, { runner }) =>
    index % 2 === 0 ? valid : { userId: (await runner.world.value('friend')).id },
};

/** An empty list shows no fields: creates one entry in each list, if the environment allows it. */
async function fillLists({ runner }: Question): Promise<void> {
  try {
    await runner.send('block', await runner.valid('block'));
    const friend = await runner.world.session('friend');
    await runner.send('block', { friendId: runner.session.caller.userId }, { session: friend });
  } catch (error) {
    if (!(error instanceof Skipped || error instanceof SuiteFault)) throw error;
  }
}
