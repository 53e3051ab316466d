import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment, MaintenanceRule } from '../../environment/index.ts';
import type { Notice } from '../../monitor/alerting/notice.ts';
import { HistoryDatabase } from '../../monitor/history/database.ts';
import type { RecorderOptions, RunRecorder } from '../../monitor/recording/run-recorder.ts';
import type { Alike } from '../../monitor/status/cause.ts';
import type { ProbeResult } from '../../monitor/status/flip.ts';
import { callOf, type ScenarioResult } from '../../run/index.ts';
import { type AreaId, areaIds } from '../../service/index.ts';
import type { Verdict } from '../../verdict/index.ts';
import { fakeResponse, fakeText } from '../contract/fake-response.ts';
import { fastFolder, temporaryFolder } from '../own-folder.ts';
import { fakeEnvironment, fakeExchange, fakeResult } from './fakes.ts';
import { makeRecorder } from './open-recorder.ts';

export const MINUTE = 60_000;

/** Phase and error code of a call without a usable response. */
const lost = {
  refused: ['connect', 'ECONNREFUSED'],
  expired: ['tls', 'CERT_HAS_EXPIRED'],
  silent: ['processing', 'DEADLINE'],
} as const;

/**
 * The trouble of a scenario's call: no usable response, an error status, a broken expectation, a denial by a proxy, or a response that
 * can't be judged. `swallowed`: a list doesn't show a change. `unseen`: the scenario doesn't run.
 */
export type Trouble =
  | keyof typeof lost
  | '401'
  | 'denied'
  | '500'
  | 'swallowed'
  | '503'
  | 'broken'
  | 'slow'
  | 'unknown'
  | 'skipped'
  | 'unproven'
  | 'unseen';

export type TroubleOf = (scenario: PlayedScenario) => Trouble | undefined;

export interface PlayedScenario {
  readonly environment: string;
  readonly title: string;
  readonly area: AreaId;
}

export interface PlayedEnvironment {
  /** The host of each area; the name of the area replaces `*`. */
  readonly host: string;
  /**
   * The path of the addresses; default: the environment's name. Environments with the same host and path share their addresses. With an
   * empty path, all areas of a host share one address.
   */
  readonly path?: string;
  readonly maintenance?: readonly MaintenanceRule[];
}

export interface SentNotice {
  readonly channel: string;
  /** Epoch, in ms. */
  readonly at: number;
  readonly notice: Notice;
}

/** A recorder that gets the runs of each minute, and can be restarted with another choice of scenarios. */
export class PlayedOutages {
  readonly #folder = temporaryFolder(fastFolder());
  readonly #environments: ReadonlyMap<string, Environment>;
  /** Options of the recorder. A change takes effect when the recorder starts again. */
  options: Partial<RecorderOptions>;
  #recorder: RunRecorder | undefined;
  #monitored: readonly PlayedScenario[] = [];
  #read = 0;
  #steady = 0;

  constructor(environments: Readonly<Record<string, PlayedEnvironment>>, options: Partial<RecorderOptions> = {}) {
    this.options = options;
    this.#environments = new Map(Object.entries(environments).map(([name, played]) => [name, made(name, played)]));
  }

  get recorder(): RunRecorder {
    if (!this.#recorder) throw new Error('not started');
    return this.#recorder;
  }

  /** Starts or restarts the recorder with these scenarios. */
  start(monitored: readonly PlayedScenario[], now: number, steady = now): void {
    this.#recorder?.close();
    this.#monitored = monitored;
    this.#steady = steady;
    const rule = { downAfter: 1, upAfter: 2, remindAfterMs: 180 * MINUTE, gatherMs: MINUTE };
    const file = join(this.#folder.path, 'h.sqlite');
    if (!this.#recorder) writeFileSync(file, newHistory(file));
    this.#recorder = makeRecorder(file, [...this.#environments.values()], {
      rule,
      steady: () => this.#steady,
      ...this.options,
    });
    // The database needs no durability, because no story plays a crash.
    for (const pragma of ['journal_mode = MEMORY', 'synchronous = OFF', 'locking_mode = EXCLUSIVE'])
      this.#recorder.db.get(`PRAGMA ${pragma}`);
    const described = monitored.map((scenario) => ({ ...scenario, effect: 'read' as const }));
    this.#recorder.enterAll(described, now);
  }

  /** Records one run of every scenario at `now`, then lets time pass to the next minute. */
  minute(now: number, troubleOf: TroubleOf, afterOne: (one: PlayedScenario) => void = () => {}, steady = now): void {
    this.#steady = steady;
    for (const one of this.#monitored.filter((each) => troubleOf(each) !== 'unseen')) {
      const observed = this.#observed(one, troubleOf, now);
      const environment = this.#environment(one.environment);
      this.recorder.record({ environment, observed, planned: now, intervalMs: MINUTE, steady }, now);
      afterOne(one);
    }
    for (const later of [0, 20_000, 40_000]) this.pass(now + later, steady + later);
  }

  /** Lets the recorder write the notices that are due at `now`. */
  pass(now: number, steady = now): void {
    this.#steady = steady;
    this.recorder.pass(now);
  }

  notices(): SentNotice[] {
    const sql = 'SELECT id, channel, created, body FROM notice WHERE id > ? ORDER BY id';
    const rows = this.recorder.db.all(sql, this.#read);
    this.#read = Number(rows.at(-1)?.id ?? this.#read);
    return rows.map(({ channel, created, body }) => ({
      channel: String(channel),
      at: Number(created),
      notice: JSON.parse(String(body)) as Notice,
    }));
  }

  end(): void {
    this.#recorder?.close();
    this.#folder.end();
  }

  addressOf({ environment, area }: PlayedScenario): string {
    return this.#environment(environment).addresses[area].href;
  }

  #environment(name: string): Environment {
    return this.#environments.get(name) as Environment;
  }

  #observed(scenario: PlayedScenario, troubleOf: TroubleOf, now: number): ProbeResult {
    const trouble = troubleOf(scenario);
    const result = resultOf(trouble, scenario, now);
    const alike = this.#alike(trouble, scenario, troubleOf);
    return { first: result, second: result, ...(alike ? { alike } : {}) };
  }

  /**
   * The result if the monitor tries other areas after a failure: the areas that fail in the same way, and whether the address or only the
   * operation fails.
   */
  #alike(trouble: Trouble | undefined, { environment, area }: PlayedScenario, troubleOf: TroubleOf): Alike | undefined {
    const isAlike = (each: AreaId) => troubleOf({ environment, title: '', area: each }) === trouble;
    if (trouble === undefined || !(trouble in lost || /^(\d|denied)/.test(trouble))) return undefined;
    const areas = areaIds.filter((each) => each === area || isAlike(each));
    const isOfAddress = (trouble !== 'silent' && trouble in lost) || isAlike(area);
    return isOfAddress ? { areas, extent: 'address' } : { areas: [], extent: 'operation' };
  }
}

/** An empty history to copy, because creating one takes longer than most tests take to write into it. */
let empty: Buffer | undefined;

function newHistory(file: string): Buffer {
  if (!empty) new HistoryDatabase(file).close();
  empty ??= readFileSync(file);
  return empty;
}

function made(name: string, { host, path = name, maintenance = [] }: PlayedEnvironment): Environment {
  const addresses = Object.fromEntries(
    areaIds.map((area) => [area, new URL(`http://${host.replace('*', area)}/${path && `${path}/${area}/`}`)]),
  );
  return { ...fakeEnvironment(name, maintenance), addresses: addresses as Environment['addresses'] };
}

function resultOf(trouble: Trouble | undefined, { title, area }: PlayedScenario, now: number) {
  const scenario = { title, area };
  if (trouble === undefined) return fakeResult('passed', now, scenario);
  const call = fakeExchange({ area, operation: area === 'stories' ? 'love' : 'block' });
  if (trouble in lost) {
    const [phase, code] = lost[trouble as keyof typeof lost];
    const failure = { phase, side: 'service', code, reason: 'connection refused' } as const;
    return fakeResult('unreachable', now, { ...scenario, failing: { ...call, failure } });
  }
  const answered = (status: number, text = '') => ({ failing: { ...call, response: fakeText(status, text) } });
  const ofList = { verdict: 'failed', category: 'failed', reason: 'documented: the list no longer has it' } as const;
  const unseen = { change: 'unblock', list: 'listBlocked' } as const;
  const list = { ...call, operation: 'listBlocked', response: fakeResponse(200, [{ userId: 'ben' }]) } as const;
  const results: Readonly<Record<string, readonly [Verdict, Partial<ScenarioResult>]>> = {
    401: ['refused', answered(401)],
    denied: ['refused', answered(403, 'RBAC: access denied')],
    swallowed: [
      'failed',
      {
        failing: list,
        failures: [{ ...ofList, unseen, call: callOf(list) }],
      },
    ],
    500: ['failed', answered(500)],
    503: ['failed', answered(503)],
    broken: ['failed', answered(200)],
    slow: ['slow', { reason: 'block took 3000 ms, more than SLOW_AFTER_MS=2000' }],
    unknown: ['unknown', { reason: 'the suite could not judge: throttled (429)' }],
    skipped: ['skipped', { reason: 'needs a stored item' }],
    unproven: ['skipped', { unproven: true, reason: 'accepted, and refused nowhere else' }],
  };
  const [verdict, more] = results[trouble] as (typeof results)[string];
  return fakeResult(verdict, now, { ...scenario, ...more });
}
