import { randomUUID } from 'node:crypto';
import { type Exchange, type Phase, verdicts } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import {
  type ConnectProblem,
  connectProblem,
  hostFailureOf,
  hostPortOf,
  runScenario,
  type Scenario,
  type ScenarioResult,
} from '../../runner/index.ts';
import { forgetRun, runSeed } from '../../scenario/index.ts';
import { type AreaId, areaIds, type OperationId, operations } from '../../spec/index.ts';
import { type Alike, areaOfFailure, areasSending, refusedCredential } from '../status/cause.ts';

/** How a request ended: its status, or the phase in which nothing came back. */
type Ending = number | Phase;

/** Sends a reading operation; `undefined` where the environment lacks what it needs. */
type Ask = (environment: Environment, id: OperationId) => Promise<Ending | undefined>;

/** The notice waits for this, so it is short: an address that takes longer counts as timed out. In ms. */
const TIMEOUT_MS = 800;

/** Many scenarios can fail at once, and all of them ask the same. In ms. */
const KEEP_MS = 5_000;

/** Operations that only read, those of one area, or one of each. */
function readingOf(area: AreaId): OperationId[] {
  return (Object.keys(operations) as OperationId[]).filter(
    (id) => operations[id].area === area && operations[id].effect === 'read',
  );
}

/**
 * Finds out, after a failure that an address or a credential can have, how far it reaches: connects to the other addresses after a refused
 * connection; otherwise asks what only reads.
 */
export function looksAt({ signal }: { readonly signal: AbortSignal }) {
  const connected = kept((origin: string, upToTls: boolean) =>
    connectProblem(hostPortOf(new URL(origin)), { timeoutMs: TIMEOUT_MS, upToTls }),
  );
  const asked = new Map<Environment, ReturnType<typeof kept<[OperationId], Ending | undefined>>>();
  const ask: Ask = (environment, id) => {
    const own = asked.get(environment) ?? kept((operation: OperationId) => endingOf(environment, operation, signal));
    asked.set(environment, own);
    return own(id);
  };
  return {
    alike: (result: ScenarioResult, environment: Environment) => alikeOf(result, environment, connected, ask),
    /** Whether what kept a scenario from working is over, as far as that can be asked without it. */
    async isBack(result: ScenarioResult, environment: Environment): Promise<boolean> {
      const area = areaOfFailure(result);
      if (hostFailureOf(result) || isUncalled(result))
        return (await connected(environment.addresses[area].origin, false)) === undefined;
      const [id] = readingOf(area);
      const ending = id && (await ask(environment, id));
      return typeof ending === 'number' && ending < 500 && ending !== 401;
    },
  };
}

type Connected = (origin: string, upToTls: boolean) => Promise<ConnectProblem | undefined>;

async function alikeOf(
  result: ScenarioResult,
  environment: Environment,
  connected: Connected,
  ask: Ask,
): Promise<Alike | undefined> {
  const { addresses } = environment;
  const { failing } = result;
  const area = areaOfFailure(result);
  const failed =
    hostFailureOf(result) ?? (isUncalled(result) ? await connected(addresses[area].origin, false) : undefined);
  if (failed) {
    const { phase, code } = failed;
    const isAlike = async (id: AreaId) => {
      const problem = await connected(addresses[id].origin, phase === 'tls' && addresses[id].protocol === 'https:');
      return problem?.phase === phase && codeOf(problem) === codeOf(failed);
    };
    return { phase, code, areas: await areasWhere(isAlike, areaIds) };
  }
  if (!failing) return undefined;
  const credential = refusedCredential(result);
  const [mode] = credential ? ['refused'] : [modeOf(endingIn(failing))];
  if (mode === undefined) return undefined;
  const isAlike = async (id: OperationId | undefined) => {
    const ending = id && (await ask(environment, id));
    return ending === undefined ? undefined : modeOf(ending) === mode;
  };
  const others = (credential ? areasSending(credential) : areaIds).filter((id) => id !== area);
  const isAreaAlike = async (id: AreaId) => {
    const own = readingOf(id).find(
      (one) => !credential || headerOf(one) === headerOf(failing.operation as OperationId),
    );
    return isAlike(own);
  };
  if (credential) {
    const found = await Promise.all(others.map(async (id) => [id, await isAreaAlike(id)] as const));
    const areas = found.flatMap(([id, is]) => (is ? [id] : []));
    const wasAsked = found.some(([, is]) => is !== undefined);
    return { areas, ...(wasAsked ? { isWhole: areas.length > 0 } : {}) };
  }
  const own = await Promise.all(readingOf(area).flatMap((id) => (id === failing.operation ? [] : [isAlike(id)])));
  const known = own.filter((is) => is !== undefined);
  const isWhole = known.length === 0 ? undefined : known.every(Boolean);
  if (isWhole === false) return { areas: [], isWhole };
  const areas = await areasWhere(async (id) => (await isAreaAlike(id)) === true, others);
  // Where the address has nothing else to ask, others that fail alike show that it is no single operation.
  return { areas, ...(isWhole || areas.length > 0 ? { isWhole: true } : {}) };
}

async function areasWhere(is: (area: AreaId) => Promise<boolean>, areas: readonly AreaId[]): Promise<AreaId[]> {
  const found = await Promise.all(areas.map(async (id) => [id, await is(id)] as const));
  return found.flatMap(([id, isOne]) => (isOne ? [id] : []));
}

function headerOf(id: OperationId): string {
  return Object.hasOwn(operations, id) ? operations[id].headerSet : '';
}

function isUncalled({ verdict, failing, exchanges }: ScenarioResult): boolean {
  return verdicts[verdict].fellShort === 'connection' && !failing && exchanges.length === 0;
}

function codeOf({ code }: ConnectProblem): string {
  return code === 'ETIMEDOUT' ? 'DEADLINE' : code;
}

function endingIn({ response, failure }: Exchange): Ending {
  return response?.status ?? failure?.phase ?? 'processing';
}

/** How a failure ended that other operations can share. */
function modeOf(ending: Ending): string | undefined {
  if (typeof ending !== 'number') return ending === 'processing' || ending === 'transfer' ? 'unanswered' : ending;
  if (ending === 401) return 'refused';
  return ending >= 500 ? 'error' : undefined;
}

/** Sends an operation with valid arguments, as a scenario of its own would. */
async function endingOf(environment: Environment, id: OperationId, signal: AbortSignal): Promise<Ending | undefined> {
  const { area } = operations[id];
  const scenario: Scenario = {
    title: `look at ${id}`,
    file: 'look.spec.ts',
    details: { tag: [`@${area}`, '@read'] },
    body: async ({ call, sample }) => {
      await call(id, await sample(id)).isDecided();
    },
  };
  const runId = randomUUID();
  const result = await runScenario(scenario, { environment, seed: `${runSeed()} ${runId}`, runId, signal });
  forgetRun(runId);
  const sent = result.exchanges.findLast(({ operation }) => operation === id);
  return sent && endingIn(sent);
}

/** Remembers for a moment what was found. */
function kept<A extends readonly unknown[], T>(find: (...asked: A) => Promise<T>): (...asked: A) => Promise<T> {
  const known = new Map<string, { readonly at: number; readonly found: Promise<T> }>();
  return (...asked) => {
    const now = performance.now();
    for (const [key, { at }] of known) if (now - at >= KEEP_MS) known.delete(key);
    const key = asked.join(' ');
    const found = known.get(key)?.found ?? find(...asked);
    if (!known.has(key)) known.set(key, { at: now, found });
    return found;
  };
}
