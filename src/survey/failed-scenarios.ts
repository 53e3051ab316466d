import type { Verdict } from '../client/index.ts';
import { type AreaId, type CallableId, type OperationId, operation, operations, readProfile } from '../spec/index.ts';

/** A failed scenario before a survey, and the questions that it affects. */
export type FailedScenario = { readonly title: string; readonly verdict: Verdict; readonly reason: string } & (
  | { readonly scope: 'none' }
  /** The host of an area is unreachable. */
  | { readonly scope: 'area'; readonly area: AreaId }
  /** A valid request was not accepted. */
  | { readonly scope: 'operation'; readonly operation: CallableId }
  /** It was accepted, but the response lacks required content. */
  | { readonly scope: 'content'; readonly operation: CallableId }
);

/** The operations that a valid request of an operation depends on. */
const reliesOn: Partial<Record<CallableId, readonly CallableId[]>> = { unblock: ['block'], unlove: ['love'] };

/** Questions whose answer depends on the content of a response. */
const ofContent =
  /^(answer-shape|paging|block-visible|languages|report-codes|default-fallback|includes-effect|own-request)$/;

/** Further operations that the experiment of a question depends on. */
const questionReliesOn: readonly (readonly [question: RegExp, ids: readonly CallableId[]])[] = [
  [/^(paging|block-visible)$/, ['block', 'unblock']],
  [/^(includes-effect|own-request)$/, ['readProfile']],
];

/** The reason why failed scenarios prevent deciding a question; `undefined` if they don't. */
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
