import type { Verdict } from '../client/index.ts';
import { type AreaId, type CallableId, type OperationId, operation, operations, readProfile } from '../spec/index.ts';

/** A scenario that broke before a survey, and how much it leaves in doubt. */
export type FailedScenario = { readonly title: string; readonly verdict: Verdict; readonly reason: string } & (
  | { readonly scope: 'none' }
  /** The host of an area can't be reached. */
  | { readonly scope: 'area'; readonly area: AreaId }
  /** A valid request was not accepted. */
  | { readonly scope: 'operation'; readonly operation: CallableId }
  /** It was accepted, and the response doesn't hold what it must. */
  | { readonly scope: 'content'; readonly operation: CallableId }
);

/** The operations that an operation's valid request relies on. */
const reliesOn: Partial<Record<CallableId, readonly CallableId[]>> = { unblock: ['block'], unlove: ['love'] };

/** Questions whose answer is read off what a response holds. */
const ofContent =
  /^(answer-shape|paging|block-visible|languages|report-codes|default-fallback|includes-effect|own-request)$/;

/** Further operations that a question's experiment relies on. */
const questionReliesOn: readonly (readonly [question: RegExp, ids: readonly CallableId[]])[] = [
  [/^(paging|block-visible)$/, ['block', 'unblock']],
  [/^(includes-effect|own-request)$/, ['readProfile']],
];

/** Why a question can't be decided while scenarios fail; `undefined` when none of them matters to it. */
export function doubtOf(
  failed: readonly FailedScenario[],
  { operation: id, question }: { readonly operation: CallableId; readonly question: string },
): string | undefined {
  const asked = [...(reliesOn[id] ?? []), ...questionReliesOn.flatMap(([of, ids]) => (of.test(question) ? ids : []))];
  const found = failed.find((each) => {
    if (each.scope === 'none') return false;
    if (each.scope === 'area') return [id, ...asked].some((other) => areaOf(other) === each.area);
    if (each.scope === 'operation') return [id, ...asked].includes(each.operation);
    return ofContent.test(question) && [id, ...asked].includes(each.operation);
  });
  return found && `scenario "${found.title}" ${found.verdict} (${found.reason})`;
}

function areaOf(id: CallableId): AreaId {
  return id in operations ? operation(id as OperationId).area : readProfile.area;
}
