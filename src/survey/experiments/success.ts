import { KNOWN_REPORT_CODE } from '../../../schemas/index.ts';
import { type Exchange, SuiteFault } from '../../client/index.ts';
import { Skipped } from '../../scenario/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import { Undecided } from '../facts/fact.ts';
import { type KindSamples, kindSize } from '../inference/samples.ts';
import { inferSchema, shapeText } from '../inference/schema.ts';
import { cameOut, type Experiment, oneQuestion, withComparison } from './experiment.ts';
import { triedLanguages } from './report-options.ts';

/** Enough samples for a required field, without the first one, which may have another status. */
const SAMPLES = 25;
/** Irreversible changes of real data are made no more often than necessary. */
const LASTING_SAMPLES = 2;

/**
 * Sends varied valid requests; the answer lists the statuses of all accepted ones so far, including those of scenarios, in the
 * order of their first occurrence.
 */
export const successStatus: Experiment = {
  questions: () => ['success-status'],
  run: async (runner, { id, effect }) => {
    const isLasting = effect === 'irreversible' && !runner.isDisposable;
    const statuses = () =>
      successes(runner, id)
        .sort(([, a], [, b]) => a.firstAt - b.firstAt)
        .map(([kind]) => kind);
    const seen = await sample(runner, id, isLasting ? LASTING_SAMPLES : SAMPLES).catch((error: unknown) => {
      // A story may have been reported by a scenario, and can't be again.
      if (error instanceof Undecided && isLasting && statuses().length > 0) return [];
      throw error;
    });
    const isHalfSeen = id === 'saveAvatar' && statuses().length === 1 && !runner.isDisposable;
    return { answer: `${statuses().join(', ')}${isHalfSeen ? HALF_SEEN : ''}`, seen };
  },
};

/** The observations of each success status. */
function successes({ samples }: ExperimentRunner, id: CallableId): [status: string, observed: KindSamples][] {
  return [...samples.of(id)].filter(([kind]) => /^2\d\d$/.test(kind));
}

/** Whether a real user had an avatar before is unknown, and an avatar can't be removed. */
const HALF_SEEN = '; the first save of an avatar was not observed';

/** With real items, one deletion is enough for all questions. */
const earlierOf = (runner: ExperimentRunner, id: CallableId) =>
  id === 'deleteItem' && !runner.isDisposable ? runner.lastControl(id) : undefined;

async function sample(runner: ExperimentRunner, id: CallableId, count: number): Promise<Exchange[]> {
  const accepted = [earlierOf(runner, id)?.exchange ?? (await runner.control(id))];
  const seen: Exchange[] = [];
  const { effect } = runner.entry(id);
  // A repeated change may have another status: first created, then unchanged.
  if (effect === 'reversible' || effect === 'overwriting') await runner.send(id, runner.lastControl(id)?.args);
  for await (const args of variedArguments(runner, id, count - 1)) {
    const exchange = await runner.send(id, args);
    seen.push(exchange);
    if (runner.outcome(id, exchange).kind === 'refused') continue;
    accepted.push(exchange);
    if (effect === 'read') runner.knows(id, exchange);
  }
  const unclear = accepted.find(({ response }) => !response || response.status >= 300);
  if (unclear) throw new Undecided(`valid requests had different outcomes: ${unclear.response?.status}`, [unclear]);
  return accepted;
}

const repeatable = ['block', 'unblock', 'love', 'unlove', 'deleteItem', 'saveAvatar', 'cloneType'] as const;

/** The same request twice; the outcome of the second. */
const sentTwice: Experiment['run'] = async (runner, { id }) => {
  const earlier = earlierOf(runner, id);
  const args = earlier?.args ?? (await runner.valid(id));
  const first = earlier?.exchange ?? (await runner.control(id, args));
  const second = await runner.send(id, args);
  return { answer: cameOut(runner, id, second).answer, seen: [first, second] };
};

export const repeat = oneQuestion('repeat', repeatable, sentTwice, 'once more');

/** Derives the shape of an operation's successes from all responses so far. */
export const answerShape: Experiment = {
  questions: () => ['answer-shape'],
  run: async (runner, { id }) => {
    await withComparison(runner, id);
    const control = runner.lastControl(id)?.exchange;
    const [[, most] = []] = successes(runner, id).sort(([, a], [, b]) => kindSize(b) - kindSize(a));
    if (!most || most.withText > 0) throw new Undecided('its responses contain no JSON');
    return { answer: shape(most), seen: control ? [control] : [], samples: kindSize(most) };
  },
};

function shape({ withJson, empty, values }: KindSamples): string {
  if (withJson === 0) return 'no body';
  const text = shapeText(inferSchema(values));
  return empty > 0 ? `${text}, or no body` : text;
}

/** Up to `count` valid requests of an operation that differ in everything a response might depend on, created on demand. */
async function* variedArguments(runner: ExperimentRunner, id: CallableId, count: number): AsyncGenerator<unknown> {
  const vary = variations[id];
  if (id === 'listBlocked' || id === 'listBlockers') await fillLists(runner);
  // Each id is a stored item, gone after one request.
  if (id === 'deleteItem' && !runner.isDisposable) return;
  for (let index = 0; index < count; index++) {
    const valid = (await runner.valid(id)) as Record<string, unknown>;
    yield vary ? await vary(runner, valid, index) : valid;
  }
}

type Vary = (runner: ExperimentRunner, valid: Record<string, unknown>, index: number) => unknown;

const invented: Vary = ({ world, session }) => ({ friendId: world.data.idLike(session.caller.userId) });
const partial: Vary = ({ world }, valid, index) => {
  if (index % 2 === 0) return valid;
  return { includes: 'name', name: world.data.text() };
};

const variations: Partial<Record<CallableId, Vary>> = {
  block: invented,
  unblock: async (runner, valid, index) => {
    const args = await invented(runner, valid, index);
    await runner.prepare('unblock', args);
    return args;
  },
  reportOptions: (_, valid, index) => (index % 2 === 0 ? valid : { language: triedLanguages[(index >> 1) % 3] }),
  report: (_, valid) => ({ ...valid, reports: [KNOWN_REPORT_CODE] }),
  // The default version affects all users, so it isn't changed.
  cloneType: (runner, valid, index) => ({ ...valid, IsSetDefaultTypeVersion: runner.isDisposable && index % 2 === 0 }),
  updateProfile: partial,
  getFriendProfile: partial,
  saveAvatar: (_, valid, index) => (index % 3 === 0 ? { ...valid, items: [], includes: '' } : valid),
  evaluate: ({ environment: { data } }, valid, index) =>
    index % 2 === 0 && data.flagKey ? { ...valid, key: data.flagKey } : valid,
  readProfile: async ({ world }, valid, index) =>
    index % 2 === 0 ? valid : { userId: (await world.value('friend')).id },
};

/** An empty list shows no fields: creates one entry in each list, if the environment allows it. */
async function fillLists(runner: ExperimentRunner): Promise<void> {
  try {
    await runner.send('block', await runner.valid('block'));
    const friend = await runner.world.session('friend');
    await runner.send('block', { friendId: runner.session.caller.userId }, { session: friend });
  } catch (error) {
    if (!(error instanceof Skipped || error instanceof SuiteFault)) throw error;
  }
}
