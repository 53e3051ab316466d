import { Counter, Gauge, Registry } from 'prom-client';
import { type Phase, phaseNames } from '../../client/index.ts';
import { phaseSums } from '../failure-row.ts';
import type { ProbeResult } from '../probe/run-probe.ts';
import type { RunRecorder } from '../run-recorder.ts';
import type { SelfHealth } from '../self-health.ts';
import { indicatorOf } from '../status/evidence.ts';
import { statusOf } from '../status/status.ts';
import type { ProbeTarget } from '../targets.ts';

/** blackbox_exporter's names for the phases of an HTTP probe. */
const blackboxPhases: Readonly<Record<Phase, string>> = {
  dns: 'resolve',
  connect: 'connect',
  tls: 'tls',
  processing: 'processing',
  transfer: 'transfer',
};

const labelNames = ['environment', 'area', 'scenario'] as const;

/** Metrics under blackbox_exporter's names where it has one; labels are bounded by the monitored scenarios. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #success = this.#gauge('probe_success', 'Whether the first attempt of the last judged run passed');
  readonly #duration = this.#gauge('probe_duration_seconds', 'Duration of the first attempt of the last run');
  readonly #status = this.#gauge('probe_http_status_code', 'Status of the last HTTP response of the last run');
  readonly #certificate = this.#gauge('probe_ssl_earliest_cert_expiry', 'Earliest certificate expiry, in unixtime');
  readonly #phases = new Gauge({
    name: 'probe_http_duration_seconds',
    help: 'Time spent in each phase of HTTP requests, summed over the calls of the last run',
    labelNames: [...labelNames, 'phase'],
    registers: [this.#registry],
  });
  readonly #runs = new Counter({
    name: 'sextant_runs_total',
    help: 'Number of runs by verdict of the first attempt',
    labelNames: [...labelNames, 'verdict'],
    registers: [this.#registry],
  });

  constructor(recorder: RunRecorder, health: () => SelfHealth) {
    const gauge = (name: string, help: string, names: readonly string[], collect: (gauge: Gauge) => void) =>
      new Gauge({
        name,
        help,
        labelNames: names,
        registers: [this.#registry],
        collect() {
          collect(this);
        },
      });
    gauge(
      'sextant_scenario_down',
      'Whether the scenario is down, after confirmation and hysteresis',
      labelNames,
      (down) => {
        for (const { environment, area, title, standing } of recorder.scenarios)
          down.set({ environment, area, scenario: title }, statusOf(standing) === 'down' ? 1 : 0);
      },
    );
    gauge('sextant_notices_waiting', 'Notices in the outbox that are still to be sent', [], (waiting) =>
      waiting.set(health().outbox.waiting),
    );
    gauge('sextant_healthy', 'Whether the monitor itself is healthy', [], (well) => well.set(health().isWell ? 1 : 0));
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  observed({ environment, area, scenario }: ProbeTarget, { first }: ProbeResult): void {
    const labels = { environment: environment.name, area, scenario: scenario.title };
    this.#runs.inc({ ...labels, verdict: first.verdict });
    this.#duration.set(labels, first.durationMs / 1000);
    const indicator = indicatorOf(first);
    if (indicator) this.#success.set(labels, indicator === 'good' ? 1 : 0);
    const { status, phases } = phaseSums(first.exchanges);
    this.#status.set(labels, status ?? 0);
    for (const name of phaseNames)
      this.#phases.set({ ...labels, phase: blackboxPhases[name] }, (phases?.[name] ?? 0) / 1000);
    const ends = first.exchanges.flatMap(({ certificateValidTo }) => certificateValidTo ?? []);
    if (ends.length > 0) this.#certificate.set(labels, Math.min(...ends) / 1000);
  }

  #gauge(name: string, help: string): Gauge<(typeof labelNames)[number]> {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }
}
