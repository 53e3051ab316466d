import type { Row } from './panel.ts';
import { proberRow } from './prober-row.ts';

/** What the variables of the dashboard choose. */
const CHOSEN = 'environment=~"$environment", area=~"$area", scenario=~"$scenario"';
const HERE = `${CHOSEN}, location=~"$location"`;

/** Metrics of probes, then of the rules, then of the prober itself. */
export const rows: readonly Row[] = [
  {
    title: 'Now',
    panels: [
      {
        title: 'Failing scenarios',
        type: 'stat',
        queries: [{ expr: `count(scenario:sextant_failing:locations{${CHOSEN}}) or vector(0)` }],
        redFrom: 1,
        width: 4,
        height: 4,
      },
      {
        title: 'Addresses that do not answer',
        description: 'Areas of which no scenario reached the service, seen from one location or more.',
        type: 'stat',
        queries: [{ expr: 'count(area:sextant_unreachable:locations{environment=~"$environment"}) or vector(0)' }],
        redFrom: 1,
        width: 4,
        height: 4,
      },
      {
        title: 'Scenarios that could not be judged',
        type: 'stat',
        queries: [{ expr: `count(sextant_probe_judged{${HERE}} == 0) or vector(0)` }],
        redFrom: 1,
        width: 4,
        height: 4,
      },
      {
        title: 'Scenarios that are watched',
        type: 'stat',
        queries: [{ expr: `count(count by (environment, scenario) (sextant_probe_judged{${HERE}})) or vector(0)` }],
        redBelow: 1,
        width: 4,
        height: 4,
      },
      {
        title: 'Probers that answer',
        type: 'stat',
        queries: [{ expr: 'count(up{job="sextant-prober", location=~"$location"} == 1) or vector(0)' }],
        redBelow: 1,
        width: 4,
        height: 4,
      },
      {
        title: 'First certificate ends in',
        type: 'stat',
        unit: 's',
        queries: [{ expr: `min(probe_ssl_earliest_cert_expiry{${HERE}} > 0) - time()` }],
        redBelow: 21 * 86_400,
        width: 4,
        height: 4,
      },
      {
        title: 'What fails now',
        description: 'A click on a scenario runs it, and shows the log of the run.',
        type: 'table',
        queries: [
          { expr: `probe_success{${HERE}, scenario!=""} == 0 or sextant_probe_judged{${HERE}, scenario!=""} == 0` },
        ],
        columns: {
          environment: undefined,
          area: undefined,
          scenario: `http://\${__data.fields.instance}/probe?target=\${__data.fields.environment}&module=\${__data.fields.scenario:percentencode}&debug=true`,
          instance: undefined,
          location: undefined,
        },
        width: 24,
        height: 7,
      },
    ],
  },
  {
    title: 'Scenarios',
    panels: [
      {
        title: 'Runs',
        description: 'A gap is a run that could not be judged.',
        type: 'state-timeline',
        queries: [{ expr: `probe_success{${HERE}}`, legend: '{{environment}}: {{scenario}} {{location}}' }],
        width: 24,
        height: 10,
      },
      {
        title: 'Verdicts',
        type: 'timeseries',
        isStacked: true,
        queries: [{ expr: `sum by (verdict) (sextant_verdict{${HERE}})`, legend: '{{verdict}}' }],
        width: 12,
        height: 8,
      },
      {
        title: 'Bad runs of the last hour',
        description: 'The objective allows 0.1 %.',
        type: 'timeseries',
        unit: 'percentunit',
        queries: [
          {
            expr: `scenario:sextant_bad_runs:count1h{${CHOSEN}} / scenario:sextant_runs:count1h{${CHOSEN}}`,
            legend: '{{environment}}: {{scenario}}',
          },
        ],
        width: 12,
        height: 8,
      },
      {
        title: 'Error budget: share that the last 3 days used, at the rate of 30 days',
        description: 'Above 100 %, the budget of 30 days does not last 30 days.',
        type: 'timeseries',
        unit: 'percentunit',
        queries: [
          {
            expr: `scenario:sextant_bad_runs:count3d{${CHOSEN}} / scenario:sextant_runs:count3d{${CHOSEN}} / scalar(sextant:error_budget:ratio)`,
            legend: '{{environment}}: {{scenario}}',
          },
        ],
        width: 24,
        height: 8,
      },
    ],
  },
  {
    title: 'Time',
    panels: [
      {
        title: 'Duration of probes',
        type: 'timeseries',
        unit: 's',
        queries: [{ expr: `probe_duration_seconds{${HERE}}`, legend: '{{environment}}: {{scenario}} {{location}}' }],
        width: 12,
        height: 9,
      },
      {
        title: 'Phases, on average',
        type: 'timeseries',
        unit: 's',
        isStacked: true,
        queries: [{ expr: `avg by (phase) (probe_http_duration_seconds{${HERE}})`, legend: '{{phase}}' }],
        width: 12,
        height: 9,
      },
      {
        title: 'Age of the result',
        description:
          'What overwrites or can not be undone runs seldom, to spare data; the prober repeats its last result.',
        type: 'timeseries',
        unit: 's',
        queries: [
          {
            expr: `time() - sextant_last_run_timestamp_seconds{${HERE}}`,
            legend: '{{environment}}: {{scenario}} {{location}}',
          },
        ],
        width: 24,
        height: 6,
      },
      {
        title: 'Duration of operations',
        type: 'timeseries',
        unit: 's',
        queries: [
          {
            expr: `max by (environment, operation) (sextant_operation_duration_seconds{${HERE}})`,
            legend: '{{environment}}: {{operation}}',
          },
        ],
        width: 12,
        height: 9,
      },
      {
        title: 'Status of operations',
        type: 'timeseries',
        queries: [
          {
            expr: `max by (environment, operation) (sextant_operation_status_code{${HERE}})`,
            legend: '{{environment}}: {{operation}}',
          },
        ],
        width: 12,
        height: 9,
      },
    ],
  },
  proberRow,
];
