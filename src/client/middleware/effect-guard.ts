import { type Effect, gravest, type Operation } from '../../spec/index.ts';
import { SpecMistake } from '../mistakes/spec-mistake.ts';
import { SuiteFault } from '../verdict/category.ts';

/** A request that the environment doesn't allow, refused before a socket was opened. */
export class NotAllowed extends SuiteFault {
  override readonly name = 'NotAllowed';
}

export function whyNotAllowed(effect: Effect, allowed: ReadonlySet<Effect>): string | undefined {
  if (allowed.has(effect)) return undefined;
  return `its effect is ${effect}, and ALLOWED_EFFECTS is ${[...allowed].join(',') || 'empty'}`;
}

/** @throws SpecMistake for an effect beyond the one that the scenario declares, whatever the environment allows. */
export function assertDeclared({ id, effect }: Operation, declared: Effect | undefined): void {
  if (declared === undefined || gravest([effect, declared]) === declared) return;
  throw SpecMistake.of('effect beyond the tag', { operation: id, effect, declared });
}

/** @throws NotAllowed */
export function assertAllowed({ id, effect }: Operation, allowed: ReadonlySet<Effect>): void {
  const reason = whyNotAllowed(effect, allowed);
  if (reason) throw new NotAllowed(`${id} was not sent: ${reason}.`);
}
