import { type FaultKind, faultKinds } from '../../reference-service/index.ts';

/** The number of caught faults, and the total. */
export interface Score {
  readonly caught: number;
  readonly of: number;
  /** 0 to 100, one decimal, truncated: 100 means all. */
  readonly percent: number;
}

/** One fault with the scenarios that caught it. */
export interface Scored {
  readonly kind: FaultKind;
  readonly grade: 'documented' | 'assumed';
  readonly caughtBy: readonly string[];
}

export function score(faults: readonly Pick<Scored, 'caughtBy'>[]): Score {
  const caught = faults.filter((fault) => fault.caughtBy.length > 0).length;
  const percent = faults.length === 0 ? 0 : Math.floor((caught / faults.length) * 1_000) / 10;
  return { caught, of: faults.length, percent };
}

/** The score by kind, in the catalogue's order, without kinds that were not drilled. */
export function scoreByKind(faults: readonly Scored[]): (Score & { readonly kind: FaultKind })[] {
  return faultKinds
    .map((kind) => ({ kind, ...score(faults.filter((fault) => fault.kind === kind)) }))
    .filter(({ of }) => of > 0);
}
