import type { KubernetesObject } from './objects.ts';

/** A group of targets, as http_sd and static_configs have it. */
export interface Group {
  readonly targets: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * The scrape configuration that the Prometheus operator makes of a `Probe` or `ScrapeConfig` (its pkg/prometheus/promcfg.go):
 * what a target becomes before the relabelings of the object. `groups` stand for what http_sd finds.
 */
export function scrapeConfigOf({ kind, spec }: KubernetesObject, groups: readonly Group[]) {
  const common = { job_name: spec.jobName };
  if (kind === 'ScrapeConfig')
    return {
      ...common,
      metrics_path: spec.metricsPath,
      static_configs: groups,
      relabel_configs: spec.relabelings.map(inPrometheus),
    };
  const { static: targets, relabelingConfigs } = spec.targets.staticConfig;
  return {
    ...common,
    metrics_path: spec.prober.path,
    static_configs: [{ targets }],
    relabel_configs: [
      { source_labels: ['__address__'], target_label: '__param_target' },
      { source_labels: ['__param_target'], target_label: 'instance' },
      { target_label: '__address__', replacement: spec.prober.url },
      ...relabelingConfigs.map(inPrometheus),
    ],
  };
}

function inPrometheus({ sourceLabels, targetLabel, ...rest }: Readonly<Record<string, unknown>>): object {
  return {
    ...rest,
    ...(sourceLabels ? { source_labels: sourceLabels } : {}),
    ...(targetLabel ? { target_label: targetLabel } : {}),
  };
}
