import { matchesGlob } from 'node:path';

/**
 * The rooms, which are the layers of the program, from the bottom up: the files and contents of each. A room imports the rooms below it.
 * `npm run pages` makes ARCHITECTURE's table from this list.
 */
// biome-ignore format: one line for each room
export const stack: Readonly<Record<string, readonly [files: string, holds: string]>> = {
  schemas: ['schemas/', 'documented requests as JSON Schema; `observed/`: responses that a survey learned'],
  service: ['src/service/', 'what the specification says: areas, header sets, operations, effects, samples'],
  'reference-service': ['reference-service/', 'the embedded service: handlers, state, assumptions, faults'],
  redaction: ['src/redaction/', 'masks secrets in texts, whatever they are about'],
  http: ['src/http/', 'sends and receives: transports, phases, deadlines, bodies, JSON'],
  facts: ['src/facts/', 'facts of an environment: their file, and one look-up'],
  verdict: ['src/verdict/', 'judges a response: claim, grade, failure, verdict'],
  call: ['src/call/', 'the way of a call: allowed, recorded, sent; contract and drift'],
  questions: ['src/questions/', 'what the specification leaves open: one question a file, with its experiment'],
  environment: ['src/environment/', 'environment keys: loading and checking; secrets, credentials, routes, files'],
  safety: ['src/safety/', 'what protects the service: consent, refused credentials, silent addresses, lock of shared users, undo journal, undo'],
  scenario: ['src/scenario/', 'what both runners share: world, test data, users, model tests, what a run remembers'],
  run: ['src/run/', '`ending/`: how a scenario ends in one result, causes, and what a run says; `in-process/`: the in-process runner'],
  server: ['src/server/', 'what processes that stay serve with: a small HTTP server, metrics in Prometheus’ format'],
  playwright: ['src/playwright/', 'the same scenarios under Playwright Test: `adapter/`, a fixture of Playwright for each of `fixtures/`; console, Allure, JUnit, summary'],
  survey: ['src/survey/', 'asks the questions; comparison, OpenAPI, exports for other tools'],
  fixtures: ['fixtures/', 'what a spec can ask for'],
  drill: ['src/drill/', 'breaks the reference service, or the wire to the team’s own, fault by fault: `sextant drill`'],
  monitor: ['src/monitor/', 'schedule, probes, status, history, alerts, status page, metrics'],
  prober: ['src/prober/', 'runs a module of an environment for Prometheus when it asks: `sextant prober`'],
  cli: ['src/cli/', 'the command line: one file for each command; guided start, doctor, import'],
  'tables of cases': ['tests/*/*-cases.ts', 'tables that the specs next to them are generated from'],
  specs: ['tests/', 'specs: `scenarios/` for both runners, `auth/`, `robustness/`, `stateful/`, `facts/`'],
  configuration: ['*.ts', 'configuration of Playwright and Allure'],
  testing: ['src/testing/', 'helpers of tests'],
  tools: ['tools/', '`npm run check`, `npm test`, generated pages, benchmarks'],
  tests: ['**/*.test.ts', 'tests next to the code they test'],
};

/** Exceptions: rooms (layers) that may import only the named rooms, not all rooms below. */
const importsOnly: Readonly<Record<string, readonly string[]>> = {
  'reference-service': ['schemas', 'service'],
  redaction: [],
  specs: ['fixtures', 'tables of cases'],
  'tables of cases': ['service', 'call', 'scenario', 'fixtures'],
};

/** Exceptions: rooms (layers) that only the named rooms may import. */
const importedOnlyBy: Readonly<Record<string, readonly string[]>> = {
  'reference-service': ['drill', 'cli', 'testing', 'tools', 'tests'],
  playwright: ['fixtures', 'cli', 'configuration', 'testing', 'tools', 'tests'],
};

/**
 * Files that other rooms (layers) may import directly, because the room's `index.ts` would load too much; grouped by the reason why this
 * matters.
 */
// biome-ignore format: one line for each reason
export const pastDoors: Readonly<Record<string, readonly string[]>> = {
  '`sextant --help` loads nothing else': ['src/service/areas.ts', 'src/service/operations.ts', 'src/http/correlation-headers.ts', 'src/environment/project-root.ts', 'src/redaction/redact.ts'],
  'the specification needs no validator': ['schemas/records.ts', 'schemas/requests.ts'],
  'a list of environments sends nothing, judges nothing, and reads no document': ['src/http/json.ts', 'src/http/json-record.ts', 'src/http/route.ts', 'src/verdict/suite-error.ts', 'src/call/credentials/issued-secret.ts', 'src/call/drift/observed-shape.ts', 'src/environment/contract/contract-of.ts', 'src/environment/contract/documents.ts', 'src/environment/contract/listed-operations.ts', 'src/environment/credentials/broker.ts', 'src/environment/write-environment.ts', 'src/environment/yaml.ts'],
  'the health check of a container loads nothing else, twice a minute': ['src/environment/files/parse-variables.ts', 'src/server/prometheus.ts'],
  'an error is reported before anything else is loaded': ['src/environment/configuration-error.ts', 'src/environment/files/file-trouble.ts', 'src/environment/sentence-parts.ts', 'src/verdict/failure-message.ts', 'src/verdict/exit-codes.ts', 'src/http/exchange.ts'],
  'a worker of Playwright loads nothing else': ['src/environment/files/index.ts', 'src/run/ending/index.ts', 'src/survey/hold-facts.ts'],
  'a reporter or the in-process runner doesn’t load Playwright or Allure’s library': ['src/playwright/adapter/scenario.ts', 'src/playwright/adapter/playwright-config.ts'],
};

/** Files that a container starts by name, so no file imports them. */
export const startedByName: readonly string[] = ['src/cli/container/healthcheck.ts'];

/** The room (layer) of a file, whose path is relative to the root; `undefined` if the file is in none. */
export function roomOf(file: string): string | undefined {
  const rooms = Object.entries(stack);
  const kind = rooms.find(([, [files]]) => files.includes('*') && matchesGlob(file, files));
  return (kind ?? rooms.find(([, [files]]) => !files.includes('*') && file.startsWith(files)))?.[0];
}

/** The rooms that a room may import, without itself. */
export function importable(room: string): string[] {
  const names = Object.keys(stack);
  const allowed = importsOnly[room] ?? names.slice(0, names.indexOf(room));
  return allowed.filter((each) => each !== room && (importedOnlyBy[each]?.includes(room) ?? true));
}
