import { basename, dirname } from 'node:path';
import type { Environment } from '../../environment/index.ts';
import { holdsFacts, type Scenario, type ScenarioResult } from '../../run/index.ts';
import { type CallableId, headers } from '../../service/index.ts';
import { verdicts } from '../../verdict/index.ts';
import { isSameRequest, relevant } from '../relevant-scenarios.ts';
import type { WireFault } from './faults.ts';

/** Scenarios, with their results in a run without faults, by title. */
export interface Healthy {
  readonly scenarios: readonly Scenario[];
  readonly results: ReadonlyMap<string, ScenarioResult>;
}

const isAboutHeaders = ({ file }: Scenario) => basename(dirname(file)) === 'auth';

/**
 * The scenarios that a drill of these faults needs. For a fault about a header: the specs about this header, and the scenarios that check
 * facts. For any other fault: the scenarios that can detect a change of its operation.
 */
export function playedFor(faults: readonly WireFault[], scenarios: readonly Scenario[]): Scenario[] {
  const nothing: Healthy = { scenarios, results: new Map() };
  const chosen = new Set(
    faults.flatMap((fault) => {
      const others = relevant(scenarios, fault.operation.id as CallableId).filter((each) => !isAboutHeaders(each));
      return fault.header ? [...concerned(fault, nothing), ...others.filter(holdsFacts)] : others;
    }),
  );
  return scenarios.filter((each) => chosen.has(each));
}

/**
 * The scenarios that can detect a fault: they pass without the fault, and send the request that it breaks. Those with the fewest requests
 * come first.
 */
export function candidates(fault: WireFault, healthy: Healthy): Scenario[] {
  const { results } = healthy;
  const cost = ({ title }: Scenario) => results.get(title)?.exchanges.length ?? 0;
  return concerned(fault, healthy)
    .filter(({ title }) => ['passed', 'slow'].includes(results.get(title)?.verdict ?? ''))
    .toSorted((a, b) => cost(a) - cost(b));
}

/** The scenarios about the broken operation or header, including those that can't run in this environment. */
function concerned({ operation, header }: WireFault, { scenarios, results }: Healthy): readonly Scenario[] {
  const about = header && `${operation.id} with ${headers[header].name} `;
  return scenarios.filter((each) => {
    const sent = results.get(each.title)?.exchanges ?? [];
    if (isAboutHeaders(each)) return about !== undefined && each.title.startsWith(about);
    // Of the scenarios that are not about headers, only those that check facts can detect an unchecked header: a fact may be about a
    // header.
    if (about && !holdsFacts(each)) return false;
    if (sent.length > 0) return sent.some(({ operation: id }) => isSameRequest(id, operation));
    return each.body.toString().includes(`.${operation.id}(`);
  });
}

/** Approximate number of requests in a drill: one run without faults, and for each fault the first scenario that can detect it. */
export function plannedRequests(faults: readonly WireFault[], healthy: Healthy): number {
  const { results } = healthy;
  const count = (title: string) => results.get(title)?.exchanges.filter(({ tampered }) => !tampered).length ?? 0;
  const first = faults.map((fault) => candidates(fault, healthy)[0]?.title ?? '').map(count);
  return [...[...results.keys()].map(count), ...first].reduce((sum, each) => sum + each, 0);
}

/** Why no scenario catches a fault, and what the team can do about it. */
export function whyMissed(fault: WireFault, healthy: Healthy, isMet: boolean, { name }: Environment): string {
  const away = concerned(fault, healthy)
    .flatMap(({ title }) => healthy.results.get(title) ?? [])
    .filter(({ verdict }) => verdicts[verdict].exitCode !== 0);
  const [first] = away.map((result) => whyAway(result, name));
  return (
    first ??
    (isMet ? 'no scenario checks this; write one: npx sextant new scenario' : 'no scenario sends such a request')
  );
}

/** Why a scenario that would detect a fault can't be played in this environment. */
function whyAway({ title, verdict, reason = verdict, unproven, exchanges }: ScenarioResult, name: string): string {
  if (unproven) return `nothing to break: ${reason}; run npx sextant survey --env ${name}`;
  if (!verdicts[verdict].ran) return reason;
  if (exchanges.some(({ tampered }) => tampered)) return `"${title}" changes what can't be restored here`;
  return `"${title}" is ${verdict} without the fault; npx sextant check --env ${name}`;
}
