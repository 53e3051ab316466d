import { present } from '../../config/index.ts';
import { type Cause, causesOf } from '../../engine/run/index.ts';
import { isConnection } from './cause.ts';
import { type Flip, scenarioKey } from './flip.ts';

/** What scenarios failed for, in a sentence (`Friends: unblock answers 500`): those that broke first, what merely follows last. */
export type CauseOfHits = Pick<Cause, 'sentence'> & { readonly hits: readonly Flip[] };

/** Hits are never changed, and asked for with each page and notice. */
const known = new WeakMap<readonly Flip[], readonly CauseOfHits[]>();

/** The gravest and best founded first, as everywhere: cause by cause, what merely follows behind what broke; then what began first. */
export function gravestFirst(hits: readonly Flip[]): readonly Flip[] {
  // Where nothing usable comes back, that is all of it.
  if (hits.length < 2 || hits.every(({ cause }) => isConnection(cause))) return hits;
  return causesOfHits(hits).flatMap((cause) => cause.hits);
}

/** Environments of one incident are weighed together. */
export function causesOfHits(hits: readonly Flip[]): readonly CauseOfHits[] {
  const before = known.get(hits);
  if (before) return before;
  const named = new Map(hits.map((hit) => [scenarioKey(hit.scenario), hit]));
  const inOrder = [...named].sort(([, a], [, b]) => a.since - b.since || a.id - b.id);
  const failures = inOrder.map(([title, { verdict, grade, reason = '', call }]) => {
    const common = { environment: '', title, verdict, category: verdict, reason, ...present({ grade }) };
    if (!call) return common;
    const { claim, observed, sentence, needs, merely, unseen, ...failing } = call;
    return { ...common, ...present({ claim, observed, sentence, needs, merely, unseen }), call: failing };
  });
  const causes = causesOf(failures).map(({ sentence, tests }) => ({
    sentence,
    hits: tests.flatMap((title) => named.get(title) ?? []),
  }));
  known.set(hits, causes);
  return causes;
}
