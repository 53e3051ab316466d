import { type ApiResponse, inside, refusalKind, seenIn, Unproven } from '../../client/index.ts';
import { type CallableId, callable, type OperationId, operation, readProfile, undoneChange } from '../../spec/index.ts';
import { sampleArguments } from '../data/data-values.ts';
import { deferUndo } from '../data/invalid-input.ts';
import { wasEverAccepted } from '../data/memory.ts';
import { NoItemLeft } from '../data/stored-item.ts';
import { Skipped } from '../specs/tags.ts';
import type { RefusalsWorld, Refused } from './header-change.ts';

/** Has a request refused and the same request, valid, accepted: before it or after, as its effect allows. */
type Proof = (tools: RefusalsWorld, id: CallableId, refused: Refused) => Promise<void>;

/** How the refusal of an operation's request is proved to be for what is wrong with it. */
export function proofOf(id: CallableId): Proof {
  const { usesUp, effect } = callable(id);
  if (usesUp) return usesUp.renewedBy === 'item' ? ofDeletion : ofLasting;
  if (undoneChange(id)) return ofUndo;
  return effect === 'overwriting' ? acceptedFirst : acceptedAfter;
}

const acceptedAfter: Proof = async (tools, id, refused) => {
  const { world, call } = tools;
  const args = await sampleArguments(world, id);
  if (id !== readProfile.id) deferUndo(call, world.defer)(operation(id), args);
  await refused(args);
  if (!isAccepted(tools, id)) await acceptedToo(tools, id, args);
};

/** The form in which data are accepted is found first, so that the very same is refused. */
const acceptedFirst: Proof = async (tools, id, refused) => {
  const args = await sampleArguments(tools.world, id);
  await refused(isAccepted(tools, id) ? args : (await acceptedToo(tools, id, args)).sent);
};

const ofUndo: Proof = async (tools, id, refused) => {
  const { world, call } = tools;
  // The state that an undo needs.
  const change = undoneChange(id) as OperationId;
  const args = await sampleArguments(world, id);
  deferUndo(call, world.defer)(operation(change), args);
  await acceptedToo(tools, change, args);
  await refused(args);
  await call(id, args).isAcceptedToo();
};

/** Its effect is permanent, so it is sent once per run; afterwards the state may differ, unless users or labels are fresh. */
const ofLasting: Proof = async (tools, id, refused) => {
  const { world, call, controls } = tools;
  const args = await sampleArguments(world, id);
  const refusal = await refused(args);
  const earlier = controls.all().filter((control) => control.operation === id);
  if (earlier.length > 0 && (isFresh(tools, id) || earlier.some(({ repeats }) => repeats))) return;
  const valid = await call(id, args).isDecided();
  if (!valid.isRefusal) return noteControl(tools, id, usedUpBy(id, args), earlier.length > 0);
  // 409: it was done before, so that with the right headers it would be done.
  const wasAccepted =
    earlier.length > 0 ||
    wasEverAccepted(world.environment, id, args) ||
    inside(valid).exchange.response?.status === 409;
  if (wasAccepted && differs(tools, valid, refusal)) return;
  if (callable(id).usesUp?.renewedBy === 'user') throw unproven(valid, '; PROVISION_URL provides a user who can do it');
  const { sent } = await acceptedToo(tools, id, await sampleArguments(world, id), usedUpBy(id, args));
  // Accepted in another form: the very same in that form, under a label that is free, must be refused.
  await refused(isFresh(tools, id) ? await sampleArguments(world, id) : sent);
};

function usedUpBy(id: CallableId, args: unknown): string {
  const given = args as Readonly<Record<string, unknown>>;
  return (callable(id).usesUp?.what ?? '').replace(/\{(\w+)\}/g, (_, name: string) => String(given[name]));
}

/** Whether each request meets a state that no earlier one changed. */
function isFresh({ world }: RefusalsWorld, id: CallableId): boolean {
  if (callable(id).usesUp?.renewedBy === 'user') return world.environment.provisionUrl !== undefined;
  return world.readings.of({ question: 'typeVersion' }) === 'copy';
}

/**
 * An item can be deleted only once. With real items, an invented id is tried first: if the right
 * headers get another response than the wrong ones, no item is needed.
 */
const ofDeletion: Proof = async (tools, id, refused) => {
  const { world, call } = tools;
  if (world.environment.provisionUrl === undefined) {
    const nobodys = { id: world.data.id() };
    const refusal = await refused(nobodys);
    const valid = await call(id, nobodys).isDecided();
    if (!valid.isRefusal || differs(tools, valid, refusal)) return;
    const item = await world.value('storedItem').catch((error: unknown) => {
      if (!(error instanceof Skipped || error instanceof NoItemLeft)) throw error;
      throw unproven(
        valid,
        ` for an invented id, and deleting a real one ${error.message.replace(/^.*?needs /, 'needs ')}`,
      );
    });
    await refused({ id: item.id });
    if (isAccepted(tools, id)) return item.release();
    await acceptedToo(tools, id, item, usedUpBy(id, item));
    return;
  }
  await acceptedAfter(tools, id, refused);
};

function differs({ world }: RefusalsWorld, a: ApiResponse, b: ApiResponse): boolean {
  const { successWhen } = world.environment;
  return refusalKind(inside(a).exchange, successWhen) !== refusalKind(inside(b).exchange, successWhen);
}

function unproven(refused: ApiResponse, more = ''): Unproven {
  return new Unproven(`the valid request is not accepted either: ${seenIn(inside(refused).exchange)}${more}`);
}

/** Whether a valid request of an operation was accepted in this run: one control serves many refusals. */
export function isAccepted({ controls }: RefusalsWorld, id: CallableId): boolean {
  return controls.all().some((control) => control.operation === id);
}

/**
 * The control: the valid request is accepted.
 * @throws Unproven when it is not.
 */
export async function acceptedToo(tools: RefusalsWorld, id: CallableId, args: unknown, usedUp?: string) {
  const response = await tools.call(id, args).isAcceptedToo();
  noteControl(tools, id, usedUp);
  return response;
}

function noteControl({ world, controls }: RefusalsWorld, id: CallableId, usedUp?: string, isRepeated = false): void {
  // What a provisioner makes is disposable.
  const isLost = usedUp !== undefined && world.environment.provisionUrl === undefined;
  controls.add({ operation: id, ...(isLost ? { usedUp } : {}), ...(isRepeated ? { repeats: true } : {}) });
}
