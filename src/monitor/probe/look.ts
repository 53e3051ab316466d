import { randomUUID } from 'node:crypto';
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
import {
  type Alike,
  areaOfFailure,
  type Ending,
  endingOf,
  isUncalled,
  modeOf,
  refusedCredential,
} from '../status/cause.ts';

/** The notice waits for this, so it is short: an address that takes longer counts as timed out. In ms. */
const TIMEOUT_MS = 800;

/** Many scenarios can fail at once, and all of them ask the same. In ms. */
const KEEP_MS = 5_000;

/** Operations of an area that only read, and send the headers of `like`. */
function readingOf(area: AreaId, like?: string): OperationId[] {
  const headers = Object.entries(operations).find(([id]) => id === like)?.[1].headerSet;
  return (Object.keys(operations) as OperationId[]).filter((id) => {
    const { area: own, effect, headerSet } = operations[id];
    return own === area && effect === 'read' && (like === undefined || headerSet === headers);
  });
}

/**
 * Finds out, after a failure that an address or a credential can have, how far it reaches: connects to the other addresses after a refused
 * connection; otherwise asks what only reads.
 */
export function looksAt({ signal }: { readonly signal: AbortSignal }) {
  const connected = kept((origin: string, upToTls: boolean) =>
    connectProblem(hostPortOf(new URL(origin)), { timeoutMs: TIMEOUT_MS, upToTls }),
  );
  const asked = kept((environment: Environment, id: OperationId) => ask(environment, id, signal));

  async function connectionsAlike(failed: ConnectProblem, { addresses }: Environment): Promise<Alike> {
    const { phase, code } = failed;
    const isAlike = async (id: AreaId) => {
      const problem = await connected(addresses[id].origin, phase === 'tls' && addresses[id].protocol === 'https:');
      return problem?.phase === phase && codeOf(problem) === codeOf(failed);
    };
    const found = await Promise.all(areaIds.map(isAlike));
    return { phase, code, areas: areaIds.filter((_, index) => found[index]) };
  }

  return {
    async alike(result: ScenarioResult, environment: Environment): Promise<Alike | undefined> {
      const { failing } = result;
      const area = areaOfFailure(result);
      const uncalled = isUncalled(result) ? await connected(environment.addresses[area].origin, false) : undefined;
      const failed = hostFailureOf(result) ?? uncalled;
      if (failed) return connectionsAlike(failed, environment);
      const mode = failing && modeOf(endingOf(failing));
      if (!failing || mode === undefined) return undefined;
      const isAlike = async (id: OperationId | undefined) => {
        const ending = id && (await asked(environment, id));
        return ending && modeOf(ending) === mode;
      };
      const credential = refusedCredential(result, environment);
      // The look sends the caller's token, so it proves nothing about the friend's.
      if (credential === 'FRIEND_ACCESS_TOKEN') return undefined;
      const own = credential ? [] : readingOf(area).filter((id) => id !== failing.operation);
      const ofOwn = (await Promise.all(own.map(isAlike))).filter((is) => is !== undefined);
      if (ofOwn.includes(false)) return { areas: [], isWhole: false };
      const others = areaIds.filter((id) => id !== area);
      const like = credential && failing.operation;
      const found = await Promise.all(others.map((id) => isAlike(readingOf(id, like)[0])));
      const areas = others.filter((_, index) => found[index]);
      // Where the address has nothing else to ask, others that fail alike show that it is no single operation.
      if (ofOwn.length > 0 || areas.length > 0) return { areas, isWhole: true };
      return { areas, ...(credential && found.includes(false) ? { isWhole: false } : {}) };
    },

    /** Whether the credential is still refused, by one request; `undefined` where no operation that reads sends it. */
    async isRefused(result: ScenarioResult, environment: Environment): Promise<boolean | undefined> {
      const [id] = readingOf(areaOfFailure(result), result.failing?.operation);
      if (!id || refusedCredential(result, environment) === 'FRIEND_ACCESS_TOKEN') return undefined;
      const ending = await ask(environment, id, signal);
      return ending && modeOf(ending) === 'refused';
    },

    /** Whether the address of a failure works again, as far as a look can tell. */
    async isBack(result: ScenarioResult, environment: Environment): Promise<boolean> {
      const area = areaOfFailure(result);
      if (hostFailureOf(result) || isUncalled(result))
        return (await connected(environment.addresses[area].origin, false)) === undefined;
      const [id] = readingOf(area);
      const ending = id && (await asked(environment, id));
      return ending !== undefined && modeOf(ending) === undefined;
    },
  };
}

function codeOf({ code }: ConnectProblem): string {
  return code === 'ETIMEDOUT' ? 'DEADLINE' : code;
}

/** Sends an operation with valid arguments; `undefined` where the environment lacks the data for them. */
async function ask(environment: Environment, id: OperationId, signal: AbortSignal): Promise<Ending | undefined> {
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
  return sent && endingOf(sent);
}

/** Remembers for a moment what was found; an environment is known by its name. */
function kept<A extends readonly (string | boolean | Pick<Environment, 'name'>)[], T>(
  find: (...asked: A) => Promise<T>,
) {
  const known = new Map<string, { readonly at: number; readonly found: Promise<T> }>();
  return (...asked: A): Promise<T> => {
    const now = performance.now();
    for (const [key, { at }] of known) if (now - at >= KEEP_MS) known.delete(key);
    const key = asked.map((each) => (typeof each === 'object' ? each.name : each)).join(' ');
    const found = known.get(key)?.found ?? find(...asked);
    if (!known.has(key)) known.set(key, { at: now, found });
    return found;
  };
}
