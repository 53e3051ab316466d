import { randomUUID } from 'node:crypto';
import { verdicts } from '../../../src/client/index.ts';
import { inProcesses } from '../../../src/drill/in-processes.ts';
import { isSameRequest, relevant } from '../../../src/drill/relevant-scenarios.ts';
import type { WireFault } from '../../../src/drill/wire/act.ts';
import { outageWays, wireFaults } from '../../../src/drill/wire/faults.ts';
import { runAll, type Scenario, type ScenarioResult, scenarios } from '../../../src/runner/index.ts';
import { unusedItems } from '../../../src/scenario/index.ts';
import type { CallableId } from '../../../src/spec/index.ts';
import { type Breakable, services, withWire } from './services.ts';

/** What was said of one fault over time: of a service that was healthy, then looked at twice while it was broken, then repaired. */
export interface Cell {
  readonly fault: string;
  /** `check` names the broken operation, at each look. */
  readonly said: boolean;
  /** Nothing reads what the operation changes, so nobody can see from outside that it is swallowed. */
  readonly isUnseen: boolean;
  /** A failure passes at a later attempt, while the operation is still broken (`test --retries`). */
  readonly isFlaky: boolean;
  /** The monitor's rule, two looks in a row, has somebody called. */
  readonly called: boolean;
  /** After the repair everything is as it was before, without help. */
  readonly healed: boolean;
  /** Ids of STORED_ITEM_IDS that count as used after the two looks, and were not deleted. */
  readonly spent: number;
  /** What is not as it should be, for people. */
  readonly detail: readonly string[];
}

/** What is not as it should be with a fault on a service that has shown nothing else, in a word each. */
export function problemsOf({ said, isUnseen, isFlaky, healed, spent }: Cell): string[] {
  const found = { 'not said': !said && !isUnseen, flaky: isFlaky, 'not healed': !healed, 'items lost': spent > 0 };
  return Object.entries(found).flatMap(([problem, is]) => (is ? problem : []));
}

/** How long what never answers is waited for: many calls are, one after the other. */
const SILENCE_LOOK_MS = 1_000;

/** Plays each fault on a service, one after the other, on one state: what one leaves behind meets the next. */
export async function playTimeline(
  { environment, wire, transports }: Breakable,
  faults: readonly WireFault[],
  onCell: (cell: Cell) => void,
): Promise<void> {
  const scenariosOf = ({ operation }: WireFault) => relevant(all, [operation.id as CallableId]);
  const all = await scenarios();
  const look = (chosen: readonly Scenario[], requestTimeoutMs = environment.requestTimeoutMs) => {
    const runId = randomUUID();
    return runAll(chosen, { environment: { ...environment, requestTimeoutMs }, seed: runId, runId, transports });
  };
  const unused = () => unusedItems(environment.name, environment.data.storedItemIds).length;
  const played = all.filter((scenario) => faults.some((fault) => scenariosOf(fault).includes(scenario)));
  const before = await look(played);
  // What a service accepts once is open at the second time.
  const again = await look(played);
  const healthy = new Map(again.map((result) => [result.title, result]));
  // What doesn't send the broken operation meets a fault only in what it leaves behind.
  const sends = (scenario: Scenario, { operation }: WireFault) =>
    [...before, ...again].some(
      (each) =>
        each.title === scenario.title &&
        (rank(each) !== 'passed' || each.exchanges.some((exchange) => isSameRequest(exchange.operation, operation))),
    );
  for (const fault of faults) {
    const chosen = scenariosOf(fault);
    const met = chosen.filter((scenario) => sends(scenario, fault));
    const items = unused();
    wire.fault = fault;
    const patience = fault.way.id === 'deadline' ? SILENCE_LOOK_MS : undefined;
    const [first, second] = [await look(met, patience), await look(met, patience)];
    const deleted = [...first, ...second]
      .flatMap(({ exchanges }) => exchanges)
      .filter(({ operation, response }) => operation === 'deleteItem' && (response?.status ?? 500) < 300);
    const spent = Math.max(0, items - unused() - deleted.length);
    wire.fault = undefined;
    const after = await look(chosen);
    const changed = after.filter((result) => {
      const before = healthy.get(result.title);
      // A pass is no trace of a fault: what did not pass before was too slow for a busy machine.
      return ![rank(before), 'passed'].includes(rank(result)) && !isThrottled(result) && !isThrottled(before);
    });
    const isSaid = [first, second].map((results) =>
      results.some((each) => isThrottled(each) || (isRed(each) && names(each, fault))),
    );
    const isDown = (result: ScenarioResult | undefined) =>
      result !== undefined && verdicts[result.verdict].health === 'down';
    const inSecond = new Map(second.map((result) => [result.title, result]));
    onCell({
      fault: fault.name,
      said: isSaid.every(Boolean),
      isUnseen: !isSaid.every(Boolean) && isInvisible(fault),
      isFlaky: first.some(
        (each) => isRed(each) && names(each, fault) && inSecond.get(each.title)?.verdict === 'passed',
      ),
      called: first.some((each) => isDown(each) && isDown(inSecond.get(each.title))),
      healed: changed.length === 0,
      spent,
      detail: [
        ...(isSaid.every(Boolean) ? [] : [...first, ...second].filter((each) => rank(each) !== 'passed').map(inWords)),
        ...changed.map((each) => `after the repair: ${inWords(each)}`),
      ],
    });
  }
}

function isInvisible({ operation, way }: WireFault): boolean {
  return way.id === 'swallowed' && operation.effect !== 'read' && !operation.shownBy;
}

function rank(result: ScenarioResult | undefined): string {
  return result?.verdict === 'slow' ? 'passed' : (result?.verdict ?? 'absent');
}

/** Some services throttle now and then, broken or not. */
function isThrottled(result: ScenarioResult | undefined): boolean {
  return result?.verdict === 'unknown' && result.exchanges.some(({ response }) => response?.status === 429);
}

function isRed({ verdict }: ScenarioResult): boolean {
  return verdicts[verdict].exitCode === 1;
}

/** Whether a result blames the operation, or for what is swallowed what should show it. */
function names({ failing, reason = '' }: ScenarioResult, { operation, way }: WireFault): boolean {
  const blamed = failing?.operation;
  if (blamed && isSameRequest(blamed, operation)) return true;
  return way.id === 'swallowed' && blamed !== undefined && reason.length > 0;
}

function inWords({ title, verdict, reason }: ScenarioResult): string {
  return `${title}: ${verdict}: ${reason ?? ''}`.slice(0, 300);
}

interface TimelineTask {
  readonly service: string;
  readonly from: number;
  readonly of: number;
}

interface TimelineMessage {
  readonly service: string;
  readonly cell: Cell;
}

/** Plays the tasks in child processes, each with its own state; resolves with the cells by service. */
export async function runTimeline(tasks: readonly TimelineTask[], onCell = () => {}): Promise<Map<string, Cell[]>> {
  const found = new Map<string, Cell[]>();
  await inProcesses({
    module: import.meta.filename,
    tasks,
    // They wait for deadlines and lists.
    processes: 4,
    onMessage: ({ service, cell }: TimelineMessage) => {
      found.set(service, [...(found.get(service) ?? []), cell]);
      onCell();
    },
  });
  return found;
}

/** Strangers have a few stored items, which a healthy look uses up. */
const fewItems = (service: string) => !service.startsWith('reference');

export async function work(tasks: readonly TimelineTask[], send: (message: TimelineMessage) => void): Promise<void> {
  for (const { service, from, of } of tasks)
    await services[service]?.((environment) =>
      withWire(environment, async (breakable) => {
        const all = wireFaults().filter(
          ({ operation, way }) => outageWays.includes(way.id) && !(fewItems(service) && operation.id === 'deleteItem'),
        );
        const chosen = all.filter((_, index) => index % of === from);
        await playTimeline(breakable, chosen, (cell) => send({ service, cell }));
      }),
    );
}
