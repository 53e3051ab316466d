import { randomUUID } from 'node:crypto';
import type { Phase } from '../../client/index.ts';
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
import { type AreaId, areaIds, firstArea, type OperationId, operations } from '../../spec/index.ts';
import {
  type Alike,
  areaOfFailure,
  type Cause,
  type Ending,
  endingOf,
  isUncalled,
  modeOf,
  refusedCredential,
} from '../status/cause.ts';
import type { ProbeTarget } from './targets.ts';

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
  const known = new Map<string, Promise<unknown>>();
  /** Remembers for a moment what was found. */
  function once<T>(key: string, find: () => Promise<T>): Promise<T> {
    const found = (known.get(key) as Promise<T> | undefined) ?? find();
    if (!known.has(key)) setTimeout(() => known.delete(key), KEEP_MS).unref();
    known.set(key, found);
    return found;
  }
  const connected = ({ origin, protocol }: URL, phase?: Phase) => {
    const upToTls = phase === 'tls' && protocol === 'https:';
    const options = { timeoutMs: TIMEOUT_MS, upToTls };
    return once(`${origin} ${upToTls}`, () => connectProblem(hostPortOf(new URL(origin)), options));
  };
  const modeOfReading = async (environment: Environment, id: OperationId | undefined) => {
    const ending = id && (await once(`${environment.name} ${id}`, () => ask(environment, id, signal)));
    return ending && (modeOf(ending) ?? 'well');
  };

  return {
    async alike(result: ScenarioResult, environment: Environment): Promise<Alike | undefined> {
      const { failing } = result;
      const { addresses } = environment;
      const area = areaOfFailure(result);
      const connection = hostFailureOf(result) ?? (isUncalled(result) ? await connected(addresses[area]) : undefined);
      if (connection) {
        const { phase, code } = connection;
        const problems = await Promise.all(areaIds.map((id) => connected(addresses[id], phase)));
        const isAlike = (one: ConnectProblem | undefined) => one?.phase === phase && codeOf(one) === codeOf(connection);
        return { phase, code, areas: areaIds.filter((_, index) => isAlike(problems[index])) };
      }
      const mode = failing && modeOf(endingOf(failing));
      const credential = refusedCredential(result, environment);
      // The look sends the caller's token, so it proves nothing about the friend's.
      if (mode === undefined || credential === 'FRIEND_ACCESS_TOKEN') return undefined;
      const modesOf = (ids: readonly (OperationId | undefined)[]) =>
        Promise.all(ids.map((id) => modeOfReading(environment, id)));
      const own = await modesOf(credential ? [] : readingOf(area).filter((id) => id !== failing?.operation));
      if (own.some((each) => each !== undefined && each !== mode)) return { areas: [], isWhole: false };
      const others = areaIds.filter((id) => id !== area);
      const found = await modesOf(others.map((id) => readingOf(id, credential && failing?.operation)[0]));
      const areas = others.filter((_, index) => found[index] === mode);
      // Where the address has nothing else to ask, others that fail alike show that it is no single operation.
      const isWell = (id: AreaId, index: number) => found[index] !== undefined && !areas.includes(id);
      const othersRespond = others.some(
        (id, index) => isWell(id, index) && addresses[id].href === addresses[area].href,
      );
      if (own.includes(mode) || areas.length > 0)
        return { areas, isWhole: true, ...(othersRespond ? { othersRespond } : {}) };
      const isOwn = credential && found.some((each) => each !== undefined);
      return { areas, ...(isOwn ? { isWhole: false } : {}) };
    },

    /** Whether the credential is still refused, by one request; `undefined` where no operation that reads sends it. */
    async isRefused(result: ScenarioResult, environment: Environment): Promise<boolean | undefined> {
      const [id] = readingOf(areaOfFailure(result), result.failing?.operation);
      if (!id || refusedCredential(result, environment) === 'FRIEND_ACCESS_TOKEN') return undefined;
      const ending = await ask(environment, id, signal);
      return ending && modeOf(ending) === 'refused';
    },

    /** Whether the address of a cause works again for a scenario, as far as a look can tell. */
    async isBack({ phase, address, areas: [first = firstArea] = [] }: Cause, { environment, area }: ProbeTarget) {
      const isConnect = phase === 'dns' || phase === 'connect' || phase === 'tls';
      if (isConnect) return (await connected(new URL(address))) === undefined;
      return (await modeOfReading(environment, readingOf(area === 'all' ? first : area)[0])) === 'well';
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
