import { matchesGlob } from 'node:path';

export interface Layer {
  readonly holds: string;
  /** Layers that its files may import beside their own: each stands above it in the list. */
  readonly mayImport: readonly string[] | 'everything';
}

/**
 * The allow-list of imports, from the bottom up: one line for each folder, or for a kind of files in it. What isn't on it
 * fails `npm run check`; ARCHITECTURE's table is made of it.
 */
// biome-ignore format: one line for each folder
export const layers: Readonly<Record<string, Layer>> = {
  'environments/': { holds: '`<name>.env` files, data only', mayImport: [] },
  'docs/': { holds: 'pages', mayImport: [] },
  'deploy/': { holds: 'the image; files for Prometheus, Grafana and Kubernetes', mayImport: [] },
  'schemas/': { holds: 'documented requests as JSON Schema; `observed/`: responses that a survey learned', mayImport: [] },
  'src/spec/': { holds: 'what the specification says: areas, header sets, operations, effects', mayImport: ['schemas/'] },
  'reference-service/': { holds: 'the embedded service: handlers, state, assumptions, faults', mayImport: ['schemas/', 'src/spec/'] },
  'src/engine/redaction/': { holds: 'masks secrets in texts, whatever they are about', mayImport: [] },
  'src/engine/facts/': { holds: 'facts of an environment: their file, and one look-up', mayImport: [] },
  'src/client/': { holds: 'makes, judges and times calls; the stages that each passes', mayImport: ['schemas/', 'src/spec/', 'src/engine/redaction/', 'src/engine/facts/'] },
  'src/service/questions/': { holds: 'what the specification leaves open: one question a file, with its experiment', mayImport: ['schemas/', 'src/spec/', 'src/engine/facts/', 'src/client/'] },
  'src/config/': { holds: 'environment keys: loading, checking, import', mayImport: ['src/spec/', 'src/engine/facts/', 'src/client/', 'src/service/questions/'] },
  'src/engine/safety/': { holds: 'what protects the service: consent, lock of shared users, undo journal, undo', mayImport: ['schemas/', 'src/spec/', 'src/client/', 'src/config/'] },
  'src/scenario/': { holds: 'what both runners share: world, test data, users, model tests', mayImport: ['schemas/', 'src/spec/', 'src/engine/facts/', 'src/client/', 'src/service/questions/', 'src/config/', 'src/engine/safety/'] },
  'src/engine/run/': { holds: 'how a scenario ends in one result, causes, and what a run says: both runners end here', mayImport: ['src/spec/', 'src/client/', 'src/config/', 'src/engine/safety/', 'src/scenario/'] },
  'src/runner/': { holds: 'the in-process runner: collects scenarios, runs them, gives verdicts', mayImport: ['src/spec/', 'src/client/', 'src/config/', 'src/engine/safety/', 'src/scenario/', 'src/engine/run/'] },
  'src/playwright/': { holds: 'the same scenarios under Playwright Test: `adapter/`, the world as its fixtures; console, Allure, JUnit, summary', mayImport: ['src/spec/', 'src/client/', 'src/config/', 'src/engine/safety/', 'src/scenario/', 'src/engine/run/'] },
  'src/survey/': { holds: 'finds out what the specification leaves open; comparison, OpenAPI, exports for other tools', mayImport: ['schemas/', 'src/spec/', 'src/engine/facts/', 'src/client/', 'src/service/questions/', 'src/config/', 'src/engine/safety/', 'src/scenario/', 'src/engine/run/', 'src/runner/'] },
  'fixtures/': { holds: 'what a spec can ask for', mayImport: ['schemas/', 'src/client/', 'src/engine/safety/', 'src/scenario/', 'src/playwright/', 'src/survey/'] },
  'src/drill/': { holds: 'breaks the reference service, or the wire to the team’s own, fault by fault: `sextant drill`', mayImport: ['schemas/', 'src/spec/', 'reference-service/', 'src/engine/facts/', 'src/service/questions/', 'src/client/', 'src/config/', 'src/engine/safety/', 'src/scenario/', 'src/engine/run/', 'src/runner/'] },
  'src/serving/': { holds: 'what processes that stay serve with: a small HTTP server, metrics in Prometheus’ format', mayImport: ['src/client/', 'src/config/'] },
  'src/monitor/': { holds: 'schedule, probes, status, history, alerts, status page, metrics', mayImport: ['src/spec/', 'src/client/', 'src/config/', 'src/engine/safety/', 'src/scenario/', 'src/engine/run/', 'src/runner/', 'src/serving/'] },
  'src/prober/': { holds: 'runs a module of an environment for Prometheus when it asks: `sextant prober`', mayImport: ['src/spec/', 'src/client/', 'src/config/', 'src/engine/safety/', 'src/scenario/', 'src/engine/run/', 'src/runner/', 'src/serving/'] },
  'src/cli/': { holds: 'the command line: one file for each command', mayImport: ['src/spec/', 'reference-service/', 'src/engine/redaction/', 'src/engine/facts/', 'src/client/', 'src/service/questions/', 'src/config/', 'src/engine/safety/', 'src/scenario/', 'src/engine/run/', 'src/runner/', 'src/playwright/', 'src/survey/', 'src/drill/', 'src/monitor/', 'src/prober/'] },
  'tests/*/*-cases.ts': { holds: 'tables of cases that the specs beside them are generated from', mayImport: ['src/spec/', 'src/client/', 'src/scenario/'] },
  'tests/': { holds: 'specs: `scenarios/` for both runners, `auth/`, `robustness/`, `stateful/`', mayImport: ['fixtures/', 'tests/*/*-cases.ts'] },
  '*.ts': { holds: 'configuration of Playwright and Allure', mayImport: ['src/spec/', 'src/config/', 'src/engine/safety/', 'src/scenario/', 'src/engine/run/', 'src/playwright/', 'fixtures/'] },
  'src/testing/': { holds: 'helpers of tests', mayImport: 'everything' },
  'tools/': { holds: '`npm run check`, `npm test`, generated pages, benchmarks', mayImport: 'everything' },
  '**/*.test.ts': { holds: 'tests beside the code they test', mayImport: 'everything' },
};

/** Files that a container starts by their names, so that nothing imports them. */
export const startedByName: readonly string[] = ['src/cli/container/healthcheck.ts'];

/** Rooms that others enter through their `index.ts`; beside it, the files that may be imported all the same, and why. */
export const doors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/spec/': {
    'areas.ts': '`sextant --help` counts them, and loads nothing else',
    'operations.ts': '`sextant --help` counts them, and loads nothing else',
  },
  'src/client/': {
    'http/correlation-headers.ts': '`sextant --help` loads nothing else of the client',
    'http/body.ts': 'a drill reads what it is about to break',
    'http/transport.ts': 'a drill stands in the place of the service',
    'http/wire.ts': 'a drill finds the call that it is to break',
    'verdict/failure-message.ts': 'an error of the configuration is told before the client is loaded',
  },
  'src/config/': {
    'configuration-error.ts': 'an error is told before anything else is loaded',
    'words.ts': 'has no need of the rest',
    'project-root.ts': 'names folders before anything is loaded',
    'files/index.ts': 'opens files for every room, most of which have no environment',
    'files/parse-variables.ts': 'the health check of a container loads nothing else, twice a minute',
    'files/file-trouble.ts': 'paths and errors of files are shown by every room, and before anything else is loaded',
    'import/index.ts': 'exports of other tools, which few commands read',
  },
  'src/engine/safety/': {},
  'src/scenario/': {},
  'src/runner/': {},
  'src/playwright/': {
    'merge.ts': 'loads Allure’s library, which only `sextant report --merge` needs',
    'adapter/scenario.ts': 'loads Playwright, which the in-process runner never does',
    'adapter/playwright-config.ts': 'Playwright loads it, and no reporter',
  },
  'src/serving/': { 'prometheus.ts': 'metrics are loaded with the first request for them' },
  'src/drill/': {
    'likely-cause.ts': 'a failure is explained without a drill',
    'symptom.ts': 'a failure is explained without a drill',
    'on-reference.ts': 'a failure is explained without a drill',
    'matrix.ts': 'a failure is explained without a drill',
  },
  'src/survey/': { 'hold-facts.ts': 'workers of Playwright load this alone' },
  'src/monitor/': {},
  'src/prober/': {},
};

/** The layer of a file, whose path is relative to the root; `undefined` where the list has none. */
export function layerOf(file: string): string | undefined {
  const names = Object.keys(layers);
  const kind = names.find((name) => name.includes('*') && matchesGlob(file, name));
  return kind ?? names.find((name) => !name.includes('*') && file.startsWith(name));
}

export function mayImport(from: string, to: string): boolean {
  const allowed = layers[from]?.mayImport ?? [];
  if (to === TESTS) return false;
  return from === to || allowed === 'everything' || allowed.includes(to);
}

/** Nothing imports a test, a test included: what two of them need belongs into `src/testing/`. */
const TESTS = '**/*.test.ts';
