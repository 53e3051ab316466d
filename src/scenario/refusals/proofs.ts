import { type ApiResponse, inside } from '../../call/index.ts';
import {
  type CallableId,
  callable,
  type OperationId,
  operation,
  readProfile,
  undoneChange,
} from '../../service/index.ts';
import { notAcceptedEither, refusalKind, seenIn, Unproven } from '../../verdict/index.ts';
import { sampleArguments, storedItemOf } from '../data/data-values.ts';
import { deferUndo } from '../data/invalid-input.ts';
import { NoItemLeft } from '../data/stored-item.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { Skipped } from '../specs/tags.ts';
import { controlsOf, type Refused } from './header-change.ts';

/** Has a request refused and the same request, valid, accepted: before it or after, as its effect allows. */
type Proof = (world: WorldBasis, id: CallableId, refused: Refused) => Promise<void>;

export function proofOf(id: CallableId): Proof {
  const { usesUp } = callable(id);
  if (usesUp) return usesUp.renewedBy === 'item' ? ofDeletion : ofLasting;
  if (undoneChange(id)) return ofUndo;
  return acceptedAfter;
}

const acceptedAfter: Proof = async (world, id, refused) => {
  const call = await world.call();
  const args = await sampleArguments(world, id);
  if (id !== readProfile.id) deferUndo(call, world.defer)(operation(id), args);
  await refused(args);
  if (!hasControl(world, id)) await acceptedToo(world, id, args);
};

const ofUndo: Proof = async (world, id, refused) => {
  const call = await world.call();
  // The state that an undo needs.
  const change = undoneChange(id) as OperationId;
  const args = await sampleArguments(world, id);
  deferUndo(call, world.defer)(operation(change), args);
  await acceptedToo(world, change, args);
  await refused(args);
  await call(id, args).isAcceptedToo();
};

/** Its effect is permanent, so it is sent once per run; afterwards the state may differ, unless users or labels are fresh. */
const ofLasting: Proof = async (world, id, refused) => {
  const call = await world.call();
  const args = await sampleArguments(world, id);
  const refusal = await refused(args);
  const earlier = controlsOf(world)
    .all()
    .filter((control) => control.operation === id);
  if (earlier.length > 0 && (isFresh(world, id) || earlier.some(({ repeats }) => repeats))) return;
  const valid = await call(id, args).isDecided();
  if (!valid.isRefusal) return noteControl(world, id, usedUpBy(id, args), earlier.length > 0);
  // 409: it was done before, so that with the right headers it would be done.
  const wasAccepted = earlier.length > 0 || inside(valid).exchange.response?.status === 409;
  if (wasAccepted && differs(world, valid, refusal)) return;
  throw notAcceptedEither(
    inside(valid).exchange,
    world.environment.successWhen,
    callable(id).usesUp?.renewedBy === 'user' ? '; PROVISION_URL provides a user who can do it' : '',
  );
};

function usedUpBy(id: CallableId, args: unknown): string {
  const given = args as Readonly<Record<string, unknown>>;
  return (callable(id).usesUp?.what ?? '').replace(/\{(\w+)\}/g, (_, name: string) => String(given[name]));
}

function isFresh(world: WorldBasis, id: CallableId): boolean {
  if (callable(id).usesUp?.renewedBy === 'user') return world.environment.provisionUrl !== undefined;
  return world.facts.formOf(id) === 'copy';
}

/** With real items, an invented id is tried first: if the right headers get another response than the wrong ones, no item is needed. */
const ofDeletion: Proof = async (world, id, refused) => {
  const call = await world.call();
  if (world.environment.provisionUrl === undefined) {
    const nobodys = { id: world.data.id() };
    const refusal = await refused(nobodys);
    const valid = await call(id, nobodys).isDecided();
    if (!valid.isRefusal || differs(world, valid, refusal)) return;
    const item = await storedItemOf(world).catch((error: unknown) => {
      if (!(error instanceof Skipped || error instanceof NoItemLeft)) throw error;
      throw unproven(
        valid,
        ` for an invented id, and deleting a real one ${error.message.replace(/^.*?needs /, 'needs ')}`,
      );
    });
    await refused({ id: item.id });
    if (hasControl(world, id)) return item.release();
    await acceptedToo(world, id, item, usedUpBy(id, item));
    return;
  }
  await acceptedAfter(world, id, refused);
};

function differs(world: WorldBasis, a: ApiResponse, b: ApiResponse): boolean {
  const { successWhen } = world.environment;
  return refusalKind(inside(a).exchange, successWhen) !== refusalKind(inside(b).exchange, successWhen);
}

function unproven(refused: ApiResponse, more = ''): Unproven {
  const why = 'the valid request is not accepted either';
  return new Unproven(`${why}: ${seenIn(inside(refused).exchange)}${more}`, `${why}${more}`);
}

/** Whether a valid request of an operation was accepted in this run: one control serves many refusals. */
function hasControl(world: WorldBasis, id: CallableId): boolean {
  return controlsOf(world)
    .all()
    .some((control) => control.operation === id);
}

/** The control: the valid request is accepted. @throws Unproven when it is not, ExpectationError when our credential is refused. */
async function acceptedToo(world: WorldBasis, id: CallableId, args: unknown, usedUp?: string) {
  const response = await (await world.call())(id, args).isAcceptedToo();
  noteControl(world, id, usedUp);
  return response;
}

function noteControl(world: WorldBasis, id: CallableId, usedUp?: string, isRepeated = false): void {
  // What a provisioner makes is disposable.
  const isLost = usedUp !== undefined && world.environment.provisionUrl === undefined;
  controlsOf(world).add({ operation: id, ...(isLost ? { usedUp } : {}), ...(isRepeated ? { repeats: true } : {}) });
}
