import { join } from 'node:path';
import { assertWritableFolder, fileRoles } from '../environment/files/index.ts';
import { counted, definedFields, type Environment } from '../environment/index.ts';
import { type Certificate, certificatesOf, type Scenario } from '../run/index.ts';
import { writeExpiryNotices } from './alerting/expiry-notices.ts';
import { heartbeat } from './alerting/heartbeat.ts';
import { OutboxDispatcher } from './alerting/outbox-dispatcher.ts';
import { assertTagsKnown } from './alerting/routes.ts';
import { TroubleReport } from './alerting/trouble-report.ts';
import { lockFolder } from './history/database.ts';
import { outboxState } from './history/outbox.ts';
import { Metrics } from './metrics/metrics.ts';
import { ProbeLoop } from './probe/probe-loop.ts';
import { type ProbeTarget, probeTargets } from './probe/targets.ts';
import { RunRecorder } from './recording/run-recorder.ts';
import { repeat, systemClock } from './schedule/clock.ts';
import type { Settings } from './settings/load.ts';
import type { Flip, ProbeResult } from './status/flip.ts';
import { durationText } from './status/texts.ts';

export interface MonitorOptions {
  readonly environments: readonly Environment[];
  readonly scenarios: readonly Scenario[];
  readonly settings: Settings;
  readonly say: (line: string) => void;
}

export const historyFile = (data: string) => join(data, 'history.sqlite');

const TICK_MS = 1_000;
const EXPIRY_MS = 60_000;
const DAY_MS = 86_400_000;
const GRACE_MS = 3_000;
/**
 * If no run ends for two intervals plus this time, in ms, the monitor reports itself as stuck. The extra time is for slow runs, and for
 * confirming failures.
 */
const SILENT_AFTER_MS = 120_000;
/**
 * If a notice is still unsent after this time, in ms, the monitor reports a problem: it sends notices at once, so the receiver did not
 * accept this one.
 */
const NOTICE_WAITS_MS = 30_000;

/** The monitor: one long-lived process that runs scenarios, records their runs and sends notices. */
export class Monitor {
  readonly recorder: RunRecorder;
  readonly targets: readonly ProbeTarget[];
  readonly environments: readonly Environment[];
  readonly settings: Settings;
  readonly startedAt = systemClock.wall();
  readonly metrics = new Metrics(this);
  pageUrl: string;
  readonly #say: (line: string) => void;
  readonly #opened: DisposableStack;
  readonly #dispatcher: OutboxDispatcher;
  readonly #loop: ProbeLoop;
  readonly #heartbeat: ReturnType<typeof heartbeat>;
  readonly #trouble: TroubleReport;
  #repeating: (() => void)[] = [];
  #lastRunAt: number | undefined;
  #soundAt = systemClock.steady();
  /** For each environment and address, the certificate that the address presented last. */
  readonly #certificates = new Map<Environment, Map<string, Certificate>>();

  constructor({ environments, scenarios, settings, say }: MonitorOptions) {
    this.settings = settings;
    this.environments = environments;
    this.#say = say;
    this.pageUrl = settings.pageUrl ?? `http://${settings.listen}:${settings.port}/`;
    const tags = new Map(scenarios.map(({ title, details }) => [title, details.tag]));
    assertTagsKnown(settings.routes, [...new Set([...tags.values()].flat())]);
    this.targets = probeTargets(environments, scenarios, settings.everyMs);
    assertWritableFolder(settings.data, fileRoles.data);
    using opened = new DisposableStack();
    opened.defer(lockFolder(join(settings.data, 'lock.sqlite')));
    this.recorder = new RunRecorder({
      ...settings,
      file: historyFile(settings.data),
      environments,
      steady: () => systemClock.steady(),
      channels: [...settings.channels.keys()],
      tagsOf: (title) => tags.get(title) ?? [],
      pageUrl: () => this.pageUrl,
    });
    opened.defer(() => this.recorder.close());
    const described = this.targets.map(({ environment: { name }, scenario: { title }, area, effect, intervalMs }) => {
      return { environment: name, title, area, effect, intervalMs };
    });
    this.recorder.enterAll(described, this.startedAt);
    this.#heartbeat = heartbeat(settings.heartbeatUrl, settings.route, say);
    this.#dispatcher = new OutboxDispatcher({ db: this.recorder.db, channels: settings.channels, onTrouble: say });
    this.#trouble = new TroubleReport(say);
    const { targets, recorder } = this;
    const onRecorded = this.#recorded.bind(this);
    this.#loop = new ProbeLoop({ targets, recorder, settings, trouble: this.#trouble, say, onRecorded });
    this.#opened = opened.move();
  }

  start(): void {
    this.#loop.start();
    this.#noteExpiries();
    void this.#heartbeat.begin();
    this.#repeating = [
      repeat(systemClock, TICK_MS, () => this.#tick()),
      repeat(systemClock, EXPIRY_MS, () => this.#noteExpiries()),
      repeat(systemClock, this.settings.everyMs, () => this.#endRound()),
    ];
  }

  hurry(target: ProbeTarget): ReturnType<ProbeLoop['hurry']> {
    return this.#loop.hurry(target);
  }

  /** Stops cleanly: discards running scenarios, waits for notices that are being sent, and closes the history. */
  async stop(): Promise<void> {
    for (const stop of this.#repeating) stop();
    await this.#loop.stop();
    this.#trouble.guard(() => this.recorder.pass(systemClock.wall()));
    await this.#dispatcher.stop(GRACE_MS);
    this.#opened.dispose();
  }

  /** The health of the monitor itself; each problem is one sentence. */
  health() {
    const now = systemClock.wall();
    const outbox = outboxState(this.recorder.db, [...this.settings.channels.keys()], now - DAY_MS);
    const { waiting, givenUp, oldest = now, lastError } = outbox;
    const why = lastError ? ` (${lastError})` : '';
    const silentMs = systemClock.steady() - this.#soundAt;
    const intervalMs = Math.min(...this.targets.map((target) => target.intervalMs));
    const found: (string | false | undefined)[] = [
      silentMs > 2 * intervalMs + SILENT_AFTER_MS && `no run has been recorded for ${durationText(silentMs)}`,
      this.#trouble.current,
      now - oldest > NOTICE_WAITS_MS && `${counted(waiting, 'notice')} waiting to be sent${why}`,
      givenUp > 0 && `${counted(givenUp, 'notice')} not delivered${why}`,
    ];
    const problems = found.flatMap((problem) => problem || []);
    const { startedAt } = this;
    return {
      isWell: problems.length === 0,
      problems,
      startedAt,
      outbox,
      ...definedFields({ lastRunAt: this.#lastRunAt }),
    };
  }

  #recorded(target: ProbeTarget, observed: ProbeResult, flip: Flip | undefined): void {
    this.#lastRunAt = systemClock.wall();
    this.#soundAt = systemClock.steady();
    if (flip) {
      const { at, scenario, from, to, cause, sentence, reason } = flip;
      const said = cause.asked ? sentence : reason;
      const why = said ? ` — ${said}` : '';
      this.#say(`${new Date(at).toISOString()} ${scenario.environment}: "${scenario.title}" ${from} → ${to}${why}`);
    }
    this.metrics.observed(target, observed);
    const { exchanges, startedAt } = observed.first;
    const known = this.#certificates.get(target.environment) ?? new Map<string, Certificate>();
    for (const certificate of certificatesOf(exchanges, startedAt)) known.set(certificate.address, certificate);
    this.#certificates.set(target.environment, known);
  }

  #tick(): void {
    this.#trouble.guard(() => {
      this.recorder.pass(systemClock.wall());
      this.#dispatcher.look();
    });
  }

  #noteExpiries(): void {
    const { channels, routes } = this.settings;
    const certificates = (environment: Environment) => this.#certificates.get(environment)?.values() ?? [];
    const shared = { channels: [...channels.keys()], routes, pageUrl: this.pageUrl, certificates };
    this.#trouble.guard(() =>
      writeExpiryNotices({ ...shared, db: this.recorder.db, environments: this.environments }, systemClock.wall()),
    );
  }

  #endRound(): void {
    let isWell = false;
    this.#trouble.guard(() => {
      isWell = this.targets.length > 0 && this.health().isWell;
    });
    void this.#heartbeat.next(isWell);
  }
}
