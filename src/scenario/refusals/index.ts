import { inside } from '../../call/index.ts';
import { counted } from '../../environment/index.ts';
import { outcomeOf } from '../../verdict/index.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { type RunLog, runLog } from '../run-files/run-log.ts';
import { probe } from '../specs/probe.ts';
import { type Control, type HeaderChange, questionOf } from './header-change.ts';
import { proofOf } from './proofs.ts';
import { refusedHeader } from './refused-header.ts';

/** Sees to it that a changed header is refused, and that the refusal proves something: the valid request is accepted. */
export function headerCheck(world: WorldBasis) {
  const title = (change: HeaderChange) => `${refusalTitle(change)}, and accepted otherwise`;
  return probe(world, title, async (change: HeaderChange) => {
    const { operation, way } = change;
    let isFound = true;
    await proofOf(operation.id)(world, operation.id, async (args) => {
      const refusal = await refusedHeader(world, change, args);
      isFound &&= !outcomeOf(inside(refusal).exchange, world.environment.successWhen).isNoEntries;
      return refusal;
    });
    // A list that is not found may have no entries: no evidence against others.
    const question = questionOf(change);
    if (question && isFound)
      world.facts.saw({ question, operation: operation.id, answer: way === 'another' ? 'tied' : 'refused' });
  });
}

export function headerRefusal(world: WorldBasis) {
  const title = (change: HeaderChange, _args: unknown) => refusalTitle(change);
  return probe(world, title, async (change: HeaderChange, args: unknown) => {
    await refusedHeader(world, change, args);
  });
}

function refusalTitle({ operation, header, way }: HeaderChange): string {
  return `${operation.title.toLowerCase()} is refused with ${header} ${way}`;
}

export type { HeaderChange } from './header-change.ts';

export function controlLog(runId: string, environment: string): RunLog<Control> {
  return runLog(runId, environment, 'controls');
}

/** What the controls of a run used up for good, in one line; none where that is nothing, or users and items are disposable. */
export function usedUpLines(environment: string, controls: readonly Control[]): string[] {
  const usedUp = Map.groupBy(
    controls.flatMap((control) => control.usedUp ?? []),
    (what) => what,
  );
  if (usedUp.size === 0) return [];
  const parts = [...usedUp].map(([what, times]) => `${what} (${counted(times.length, 'time')})`);
  return [`${environment}: used up to show that refusals prove something: ${parts.join(', ')}`];
}
