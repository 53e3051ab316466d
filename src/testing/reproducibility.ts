import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fault, faults, type Service, seeded } from '../../reference-service/index.ts';
import { relevant } from '../drill/relevant-scenarios.ts';
import type { Environment } from '../environment/index.ts';
import { allScenarios, exitCode, overallVerdict, runAll, type Scenario } from '../run/index.ts';
import { operation, operationIds } from '../service/index.ts';
import { verdicts } from '../verdict/index.ts';
import { answers } from './safety-bench.ts';
import { newItems } from './test-environment.ts';

/** The end of a run: its exit code, and the red scenarios with their verdicts. */
export interface Ending {
  readonly exitCode: number;
  readonly red: readonly string[];
}

/** The end of a run with a fault on three machines: on a fresh clone, after green runs, and after a run that met the same fault. */
export interface Reproduced {
  readonly fault: string;
  readonly fresh: Ending;
  readonly afterGreen: Ending;
  readonly afterFault: Ending;
}

export function isReproduced({ fresh, afterGreen, afterFault }: Reproduced): boolean {
  const [one, ...others] = [fresh, afterGreen, afterFault].map((ending) => JSON.stringify(ending));
  return others.every((other) => other === one);
}

/**
 * The documented faults that scenarios can catch, except faults in the connection. In addition, five faults for each operation: with each
 * of them, the operation always responds with another wrong status.
 */
export function faultsToReproduce(): Fault[] {
  const documented = faults.filter(
    ({ grade, survives, kind }) => grade === 'documented' && !survives && kind !== 'wire',
  );
  const statuses = operationIds.flatMap((id) => [400, 404, 409, 422, 500].map((status) => answers(id, status)));
  return [...documented, ...statuses];
}

const playedWith = (fault: Fault, all: readonly Scenario[]) => relevant(all, fault.operation, 'unchecked' in fault);

/** One seed for all machines gives them the same random plans, so that only their stored state differs. */
const SEED = 'machines';

/** More stored items than any run deletes. */
const MOST_ITEMS = 30;

/** Simulated machines that run the suite: each has its own state folder, which its next run reads. */
export class Machines implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sextant-machines-'));
  readonly #before = { ...process.env };
  readonly #service: Service;
  readonly #environment: Environment;

  constructor(service: Service, environment: Environment) {
    this.#service = service;
    this.#environment = environment;
  }

  /** Plays `greenRuns` runs without faults on the machine `green`: of all scenarios, or of those that `reproduce` plays with these faults. */
  async prepare(greenRuns: number, met?: readonly Fault[]): Promise<void> {
    const all = await allScenarios();
    const wanted = new Set(met?.flatMap((fault) => playedWith(fault, all)) ?? all);
    const played = all.filter((each) => wanted.has(each));
    mkdirSync(join(this.#folder, 'green'));
    this.#service.faults.set();
    for (let run = 0; run < greenRuns; run++)
      await this.#run('green', played, await newItems(this.#service, MOST_ITEMS));
  }

  async reproduce(fault: Fault): Promise<Reproduced> {
    const played = playedWith(fault, await allScenarios());
    const others = ['met', 'afterGreen'].map((name) => `${name}-${randomUUID()}`) as [string, string];
    const [met, afterGreen] = others;
    cpSync(join(this.#folder, 'green'), join(this.#folder, afterGreen), { recursive: true });
    // The runs with a fault must differ only in the state folder of their simulated machine. But earlier runs also change the service: they
    // delete items, and may leave blocks. So each run gets new items, and begins without blocks.
    const run = async (machine: string) => {
      this.#service.faults.set();
      await this.#unblockAll();
      this.#service.faults.set(fault);
      return this.#run(machine, played, await newItems(this.#service, MOST_ITEMS));
    };
    try {
      return {
        fault: fault.name,
        fresh: await run(met),
        afterGreen: await run(afterGreen),
        afterFault: await run(met),
      };
    } finally {
      this.#service.faults.set();
      for (const name of others) rmSync(join(this.#folder, name), { recursive: true, force: true });
    }
  }

  async #unblockAll(): Promise<void> {
    const { clientId } = seeded.client;
    for (const { userId, accessToken } of [seeded.caller, seeded.friend]) {
      const headers = {
        authorization: `bearer ${accessToken}`,
        'mm-client-id': clientId,
        'mm-user-id': userId,
        'content-type': 'application/json',
      };
      const ask = (method: string, path: string, body?: object) =>
        fetch(new URL(path, `${this.#service.addresses.friends}/`), {
          method,
          headers,
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
      const { method, path } = operation('listBlocked');
      const listed = (await (await ask(method, path.slice(1).replace('{n1}', '0').replace('{n2}', '1000'))).json()) as {
        readonly userId: string;
      }[];
      const undo = operation('unblock');
      for (const { userId: friendId } of listed) await ask(undo.method, undo.path.slice(1), { friendId });
    }
  }

  /** Plays one run as a separate process would: with its own copy of the environment, and with newly generated data. */
  async #run(
    machine: string,
    scenarios: Parameters<typeof runAll>[0],
    storedItemIds: readonly string[],
  ): Promise<Ending> {
    process.env.SEXTANT_STATE = join(this.#folder, machine);
    const environment = { ...this.#environment, data: { ...this.#environment.data, storedItemIds } };
    const results = await runAll(scenarios, { environment, seed: SEED, runId: randomUUID() });
    const red = results
      .filter(({ verdict }) => verdicts[verdict].ran && exitCode(verdict) !== 0)
      .map(({ title, verdict }) => `${verdict}: ${title}`);
    return { exitCode: exitCode(overallVerdict(results.map(({ verdict }) => verdict))), red: red.sort() };
  }

  [Symbol.dispose](): void {
    const { SEXTANT_STATE } = this.#before;
    if (SEXTANT_STATE === undefined) delete process.env.SEXTANT_STATE;
    else process.env.SEXTANT_STATE = SEXTANT_STATE;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
