import type { ApiResponse } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import type { RefusalsWorld } from './refusals-world.ts';

/** Whether a valid request of an operation was accepted in this run: one control serves many refusals. */
export function isAccepted({ controls }: RefusalsWorld, id: CallableId): boolean {
  return controls.all().some((control) => control.operation === id);
}

/**
 * The control: the valid request is accepted.
 * @throws Unproven when it is not.
 */
export async function acceptedToo(
  tools: RefusalsWorld,
  id: CallableId,
  args: unknown,
  spent?: string,
): Promise<ApiResponse> {
  const response = await tools.call(id, args).isAcceptedToo();
  // What a provisioner makes is disposable.
  const isLost = spent !== undefined && tools.world.environment.provisionUrl === undefined;
  tools.controls.add({ operation: id, ...(isLost ? { spent } : {}) });
  return response;
}
