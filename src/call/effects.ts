import { type Effect, gravest, type Operation } from '../service/index.ts';
import { SpecMistake, SuiteFault } from '../verdict/index.ts';

/** The environment does not allow the effect of a request, so no socket was opened. */
export class NotAllowed extends SuiteFault {
  override readonly name = 'NotAllowed';
}

export function whyNotAllowed(effect: Effect, allowed: ReadonlySet<Effect>): string | undefined {
  if (allowed.has(effect)) return undefined;
  return `its effect is ${effect}, and ALLOWED_EFFECTS is ${[...allowed].join(',') || 'empty'}`;
}

/** Checks an effect against the tag of the scenario. @throws SpecMistake if it exceeds the declared effect, whatever the environment allows. */
export function assertDeclared({ id, effect }: Operation, declared: Effect | undefined): void {
  if (declared === undefined || gravest([effect, declared]) === declared) return;
  throw new SpecMistake(
    `${id} is ${effect}, and the scenario is tagged @${declared}, so the scenario may not send it; tag the scenario @${effect}, or remove the call`,
  );
}

/** Checks an effect against ALLOWED_EFFECTS. @throws NotAllowed */
export function assertAllowed({ id, effect }: Operation, allowed: ReadonlySet<Effect>): void {
  const reason = whyNotAllowed(effect, allowed);
  if (reason) throw new NotAllowed(`${id} was not sent: ${reason}.`);
}
