import type { Verdict } from '../client/index.ts';
import {
  type AreaId,
  type CallableId,
  callable,
  type OperationId,
  operationsWith,
  readProfile,
  undoneChange,
} from '../spec/index.ts';

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

/** Questions whose answer depends on the content of a response. */
const ofContent =
  /^(answer-shape|paging|block-visible|languages|report-codes|default-fallback|includes-effect|own-request)$/;

/** The operations that a valid request of an operation depends on, and what the experiment of a question sends besides. */
function reliedOn(id: CallableId, question: string): readonly CallableId[] {
  const change = undoneChange(id);
  const listed = operationsWith('undo').filter(({ shownBy, shownToThemBy }) => [shownBy, shownToThemBy].includes(id));
  return [
    ...(change ? [change] : []),
    ...(/^(paging|block-visible)$/.test(question) ? listed.flatMap((each) => [each.id, each.undo as OperationId]) : []),
    ...(/^(includes-effect|own-request)$/.test(question) ? [readProfile.id] : []),
  ];
}

/** The reason why failed scenarios prevent deciding a question; `undefined` if they don't. */
export function doubtOf(
  failed: readonly FailedScenario[],
  { operation: id, question }: { readonly operation: CallableId; readonly question: string },
): string | undefined {
  const asked = [id, ...reliedOn(id, question)];
  const found = failed.find((each) => {
    if (each.scope === 'none') return false;
    if (each.scope === 'area') return asked.some((other) => callable(other).area === each.area);
    if (each.scope === 'operation') return asked.includes(each.operation);
    return ofContent.test(question) && asked.includes(each.operation);
  });
  return found && `scenario "${found.title}" ${found.verdict} (${found.reason})`;
}
