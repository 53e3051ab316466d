import { randomUUID } from 'node:crypto';
import type { Environment } from '../../environment/index.ts';
import type { Phase } from '../../http/index.ts';
import {
  type Cause,
  type ConnectProblem,
  connectProblem,
  hostPortOf,
  lostHostOf,
  modeOf,
  type ScenarioResult,
} from '../../run/index.ts';
import { forgetRun, runSeed, sampleArguments, scenarioSeed, World } from '../../scenario/index.ts';
import {
  type AreaId,
  areaIds,
  type CallableId,
  callable,
  callableIds,
  firstArea,
  operation,
  readProfile,
} from '../../service/index.ts';
import { SuiteError, silent } from '../../verdict/index.ts';
import { systemClock } from '../schedule/clock.ts';
import { type Alike, areaOfFailure, type Ending, endingOf, refusedCredential } from '../status/cause.ts';
import type { HangingAreas } from './hanging-areas.ts';
import type { ProbeTarget } from './targets.ts';

/**
 * Time limit for a test connection, in ms. An address that takes longer counts as timed out. The limit is short, because the notice waits
 * for the result.
 */
const TIMEOUT_MS = 800;

/** How long a result is reused, in ms. Many scenarios can fail at the same time, and need the same results. */
const KEEP_MS = 5_000;

/** The operations of an area that only read. If `like` names an operation, only those that send the same headers as that operation. */
function readingOf(area: AreaId, { readProfile: reading }: Environment, like?: string): CallableId[] {
  const headers = like && callable(like as CallableId).headerSet;
  return callableIds.filter((id) => {
    const { area: own, effect, headerSet } = callable(id);
    if (id === readProfile.id && !reading) return false;
    return own === area && effect === 'read' && (headers === undefined || headerSet === headers);
  });
}

/**
 * Finds out how far a failure reaches, if an address or a credential may have caused it: to one operation, one address or several. After a
 * failed connection, it tries to connect to the other addresses. After any other failure, it sends operations that only read.
 */
export class FailureLook {
  readonly #signal: AbortSignal;
  readonly #hanging: HangingAreas;
  readonly #known = new Map<string, Promise<unknown>>();

  constructor(signal: AbortSignal, hanging: HangingAreas) {
    this.#signal = signal;
    this.#hanging = hanging;
  }

  async alike(result: ScenarioResult, environment: Environment): Promise<Alike | undefined> {
    const { failing } = result;
    const { addresses } = environment;
    const area = areaOfFailure(result);
    const connection = lostHostOf(result);
    if (connection) {
      const { phase } = connection;
      const problems = await Promise.all(areaIds.map((id) => this.#connected(addresses[id], phase)));
      const isAlike = (one: ConnectProblem | undefined) => one?.phase === phase && codeOf(one) === codeOf(connection);
      return { areas: areaIds.filter((_, index) => isAlike(problems[index])), extent: 'address' };
    }
    // If the verdict is `drifted`, the service responded, so its address works. The status says nothing either: the scenario may have sent
    // an invalid request on purpose.
    const mode = failing && result.verdict !== 'drifted' ? modeOf(endingOf(failing)) : undefined;
    const credential = refusedCredential(result);
    // The requests below send the caller's token, so they prove nothing about the friend's token.
    if (mode === undefined || credential === 'FRIEND_ACCESS_TOKEN') return undefined;
    const modesOf = (ids: readonly CallableId[]) => Promise.all(ids.map((id) => this.#modeOfReading(environment, id)));
    const like = credential && failing?.operation;
    const others = areaIds.filter((id) => id !== area);
    const inOwn = readingOf(area, environment, like).filter((id) => id !== failing?.operation);
    const isOther = (each: string | undefined) => each !== undefined && each !== mode;
    const own = credential ? [] : await modesOf(inOwn);
    if (own.some(isOther)) return { areas: [], extent: 'operation' };
    const modes = await Promise.all(others.map((id) => this.#modeOfOther(environment, id, like)));
    const areas = others.filter((_, index) => modes[index] === mode);
    const working = others.filter((_, index) => isOther(modes[index]) && modes[index] !== 'unanswered');
    // If no other area refuses the credential, perhaps only one operation does. So another operation of the failed area is sent, too.
    if (credential && areas.length === 0) own.push(...(await modesOf(inOwn.slice(0, 1))));
    if (own.some(isOther)) return { areas: [], extent: 'operation' };
    // There may be no other operation at this address to try. Then other areas that fail in the same way, or the fact that this area hangs,
    // show that the failure is not only about one operation.
    const isHanging = mode === 'unanswered' && this.#hanging.has(environment, area);
    if (own.includes(mode) || areas.length > 0 || isHanging) return { areas, extent: 'address', working };
    return { areas, extent: credential && working.length > 0 ? 'operation' : 'unknown' };
  }

  /** Sends one request, or opens one connection, to find out whether the address of a cause works again for a scenario. */
  async isBack({ phase, address, areas: [first = firstArea] = [] }: Cause, { environment, area }: ProbeTarget) {
    const isConnect = phase === 'dns' || phase === 'connect' || phase === 'tls';
    if (isConnect && address) return (await this.#connected(new URL(address))) === undefined;
    return (
      (await this.#modeOfReading(environment, readingOf(area === 'all' ? first : area, environment)[0])) === 'well'
    );
  }

  #connected({ origin, protocol }: URL, phase?: Phase): Promise<ConnectProblem | undefined> {
    const upToTls = phase === 'tls' && protocol === 'https:';
    const options = { timeoutMs: TIMEOUT_MS, upToTls };
    return this.#once(`${origin} ${upToTls}`, () => connectProblem(hostPortOf(new URL(origin)), options));
  }

  /**
   * How an area other than the failed one responds. If this other area is known to hang, sends nothing, because the request would wait for
   * its deadline.
   */
  async #modeOfOther(environment: Environment, area: AreaId, like?: string): Promise<string | undefined> {
    if (this.#hanging.has(environment, area)) return 'unanswered';
    return this.#modeOfReading(environment, readingOf(area, environment, like)[0]);
  }

  async #modeOfReading(environment: Environment, id: CallableId | undefined): Promise<string | undefined> {
    const ending = id && (await this.#once(`${environment.name} ${id}`, () => this.#ask(environment, id)));
    return ending && (modeOf(ending) ?? 'well');
  }

  /** Calls `find` once, and reuses its result for `KEEP_MS`. */
  #once<T>(key: string, find: () => Promise<T>): Promise<T> {
    const found = (this.#known.get(key) as Promise<T> | undefined) ?? find();
    if (!this.#known.has(key)) setTimeout(() => this.#known.delete(key), KEEP_MS).unref();
    this.#known.set(key, found);
    return found;
  }

  async #ask(environment: Environment, id: CallableId): Promise<Ending | undefined> {
    const began = systemClock.steady();
    const ending = await ask(environment, id, this.#signal);
    if (ending?.phase === 'response') this.#hanging.responded(environment, callable(id).area, began);
    return ending;
  }
}

function codeOf({ code }: ConnectProblem): string {
  return code === 'ETIMEDOUT' ? 'DEADLINE' : code;
}

/**
 * Sends an operation with valid arguments, and returns how the call ended. Returns `undefined` if the environment lacks data for the
 * arguments, or doesn't allow the request.
 */
async function ask(environment: Environment, id: CallableId, signal: AbortSignal): Promise<Ending | undefined> {
  const entry = id === readProfile.id ? environment.readProfile : operation(id);
  if (!entry) return undefined;
  const runId = randomUUID();
  const seed = scenarioSeed(runSeed(), runId);
  const world = new World({ environment, observer: silent, seed, runId, signal, declared: 'read' });
  try {
    const session = await world.session();
    return endingOf(await session.exchange(entry, await sampleArguments(world, id), new Map(), 'decided'));
  } catch (error) {
    if (!(error instanceof SuiteError)) throw error;
    return undefined;
  } finally {
    await world.close({ verify: 'nothing' });
    forgetRun(runId);
  }
}
