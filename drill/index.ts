export { drillDocument } from './document.ts';
export { drill } from './drill.ts';
export { type LikelyCause, likelyCauseLine, likelyCauses } from './likely-cause.ts';
export { committedMatrix, differences, type Matrix, matrixOf, matrixText } from './matrix.ts';
export { redOnReference } from './on-reference.ts';
export type { Drilled, FaultOutcome, VariantOutcome } from './outcome.ts';
export { killMatrixPage } from './page.ts';
export { score, scoreByKind } from './score.ts';
export { caughtBy, problemsOf, problemsOfOne } from './verdict.ts';
