import type { Row } from './panel.ts';

/** Metrics of the probers themselves. */
export const proberRow: Row = {
  title: 'Probers',
  panels: [
    {
      title: 'Probes per second, by outcome',
      type: 'timeseries',
      isStacked: true,
      queries: [
        {
          expr: 'sum by (outcome) (rate(sextant_prober_probes_total{location=~"$location"}[5m]))',
          legend: '{{outcome}}',
        },
        { expr: 'sum(rate(sextant_prober_rejected_total{location=~"$location"}[5m]))', legend: 'rejected' },
        { expr: 'sum(rate(sextant_prober_joined_total{location=~"$location"}[5m]))', legend: 'joined' },
      ],
      width: 8,
      height: 8,
    },
    {
      title: 'Probes under way',
      type: 'timeseries',
      queries: [
        { expr: 'sextant_prober_probes_running{location=~"$location"}', legend: 'running, {{instance}}' },
        { expr: 'sextant_prober_probes_waiting{location=~"$location"}', legend: 'waiting, {{instance}}' },
      ],
      width: 8,
      height: 8,
    },
    {
      title: 'Memory',
      type: 'timeseries',
      unit: 'bytes',
      queries: [
        {
          expr: 'process_resident_memory_bytes{job="sextant-prober", location=~"$location"}',
          legend: '{{instance}}',
        },
      ],
      width: 4,
      height: 8,
    },
    {
      title: 'CPU',
      type: 'timeseries',
      unit: 'percentunit',
      queries: [
        {
          expr: 'rate(process_cpu_seconds_total{job="sextant-prober", location=~"$location"}[5m])',
          legend: '{{instance}}',
        },
      ],
      width: 4,
      height: 8,
    },
    {
      title: 'Environments that can not be used',
      type: 'timeseries',
      queries: [
        {
          expr: 'max by (environment, location) (sextant_environment_problem{location=~"$location"})',
          legend: '{{environment}} {{location}}',
        },
      ],
      width: 8,
      height: 6,
    },
    {
      title: 'Credentials end in',
      description: 'Those that nothing renews.',
      type: 'timeseries',
      unit: 's',
      queries: [
        {
          expr: 'min by (environment, credential) (sextant_credential_expiry_timestamp_seconds{renewed="false", location=~"$location"}) - time()',
          legend: '{{environment}} {{credential}}',
        },
      ],
      width: 8,
      height: 6,
    },
    {
      title: 'Versions',
      type: 'timeseries',
      queries: [
        {
          expr: 'count by (version, node) (sextant_build_info{location=~"$location"})',
          legend: '{{version}}, Node {{node}}',
        },
      ],
      width: 8,
      height: 6,
    },
  ],
};
