import type { Effect, Operation } from '../../spec/index.ts';
import { SuiteFault } from '../suite-fault.ts';

/** A request that the environment doesn't allow, refused before a socket was opened. */
export class NotAllowed extends SuiteFault {
  override readonly name = 'NotAllowed';
}

/** The reason why an effect is not allowed; `undefined` if it is. */
export function whyNotAllowed(effect: Effect, allowed: ReadonlySet<Effect>): string | undefined {
  if (allowed.has(effect)) return undefined;
  return `its effect is ${effect}, and ALLOWED_EFFECTS is ${[...allowed].join(',') || 'empty'}`;
}

/** @throws NotAllowed */
export function assertAllowed({ id, effect }: Operation, allowed: ReadonlySet<Effect>): void {
  const reason = whyNotAllowed(effect, allowed);
  if (reason) throw new NotAllowed(`${id} was not sent: ${reason}.`);
}
