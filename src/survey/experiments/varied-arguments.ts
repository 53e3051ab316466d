import { KNOWN_REPORT_CODE } from '../../../schemas/index.ts';
import { SuiteFault } from '../../client/index.ts';
import { Skipped } from '../../scenario/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';

/** Languages that a service may support, common ones first. */
export const triedLanguages = 'en de fr es it pt nl pl sv ru tr ar hi ja ko zh'.split(' ');

/** Up to `count` valid requests of an operation that differ in everything a response might depend on, created on demand. */
export async function* variedArguments(
  runner: ExperimentRunner,
  id: CallableId,
  count: number,
): AsyncGenerator<unknown> {
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
