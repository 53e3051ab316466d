import {
  drillService,
  healthyRun,
  onSubstitute,
  plannedRequests,
  playedFor,
  type WireFault,
  type WireOutcome,
  wireFaults,
} from '../../drill/index.ts';
import { ConfigurationError, counted, type Environment } from '../../environment/index.ts';
import { unlessStopped } from '../../http/index.ts';
import { addToJobPage } from '../../playwright/index.ts';
import { redact } from '../../redaction/index.ts';
import { type Scenario, scenarios } from '../../run/index.ts';
import { agreed, consentTo, withUsers } from '../../safety/index.ts';
import { exitCodes } from '../../verdict/exit-codes.ts';
import { loadEnvironments } from '../choosing/choose-environments.ts';
import { Progress } from '../output/progress.ts';
import { interruptible, sayDocuments, warn } from '../output/terminal.ts';
import { withService } from '../serving/embedded-service.ts';
import { scoreLine, wireRow, wireScore } from './report.ts';

export interface EnvironmentDrillOptions {
  readonly env: readonly string[];
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly failUnder?: number;
  readonly isChosen: (fault: WireFault) => boolean;
}

/** Fixed, so that every drill uses the same data. */
const SEED = 'drill';

/** `sextant drill --env NAME`: shows which faults of the team's own service would make its checks fail. Returns the exit code. */
export async function drillEnvironments(options: EnvironmentDrillOptions): Promise<number> {
  const environments = loadEnvironments(options.env);
  const signal = interruptible();
  const codes: number[] = [];
  const documents: object[] = [];
  for (const environment of environments) {
    const { code, document } = await drillOneEnvironment(environment, options, signal);
    codes.push(code);
    documents.push(document);
    if (signal.aborted) break;
  }
  if (options.json) sayDocuments(documents);
  return Math.max(...codes);
}

async function drillOneEnvironment(environment: Environment, options: EnvironmentDrillOptions, signal: AbortSignal) {
  const { name } = environment;
  const { yes = false, json = false, failUnder = 0 } = options;
  await consentTo(environment, { yes });
  const faults = wireFaults(environment.readProfile).filter(options.isChosen);
  if (faults.length === 0)
    throw new ConfigurationError(`None of the faults that --env can drill in ${name} matches --fault.`);
  const learned = environment.facts ? await scenarios('facts') : [];
  const played = playedFor(faults, [...(await scenarios()), ...(await scenarios('auth')), ...learned]);
  await announce(environment, faults, played, yes, signal);

  const startedAt = performance.now();
  const outcomes: WireOutcome[] = [];
  const progress = new Progress(`drill of ${name}`);
  progress.show(0, faults.length, 'the healthy run');
  const onOutcome = (outcome: WireOutcome) => {
    outcomes.push(outcome);
    if (!json) progress.print(wireRow(outcome));
    progress.show(outcomes.length, faults.length, outcome.name);
  };
  const drilled = withService(environment, (at) =>
    withUsers(at, { signal, say: warn, isReported: true }, (users) =>
      drillService({ environment: at, users, scenarios: played, faults, seed: SEED, signal, onOutcome }),
    ),
  );
  const { requests } = await unlessStopped(drilled, signal, () => ({ requests: 0 })).finally(() => progress.end());
  const durationMs = Math.round(performance.now() - startedAt);
  const inOrder = faults.flatMap((fault) => outcomes.find((outcome) => outcome.name === fault.name) ?? []);
  const document = { environment: name, faults: inOrder, requests, durationMs };
  if (signal.aborted) {
    warn(`${name}: stopped after ${outcomes.length} of ${counted(faults.length, 'fault')}.`);
    return { code: exitCodes.unjudged, document };
  }
  const line = scoreLine(name, outcomes);
  if (!json) process.stdout.write(`\n${redact(line)}\n${requests} requests in ${Math.round(durationMs / 1_000)} s\n`);
  addToJobPage(`\n${line}\n`, undefined);
  const { caught, percent } = wireScore(outcomes);
  return { code: exitCodes[percent < failUnder || caught === 0 ? 'fellShort' : 'held'], document };
}

/**
 * Announces how many requests the drill sends, and asks for consent before the first of them. To count the requests, it runs the scenarios
 * on the embedded service, with the allowed effects of `environment`, and without the test data that `environment` lacks.
 */
async function announce(
  environment: Environment,
  faults: readonly WireFault[],
  played: readonly Scenario[],
  yes: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { name, rateLimits } = environment;
  const healthyOn = (substitute: Environment) =>
    healthyRun({ environment: substitute, scenarios: played, seed: SEED, signal });
  const healthy = await onSubstitute(environment, healthyOn, { quiet: true });
  if (signal.aborted) return;
  const requests = plannedRequests(faults, healthy);
  const perSecond = rateLimits?.maxRequestsPerSecond;
  const time = perSecond
    ? ` (${perSecond} a second: about ${counted(Math.ceil(requests / perSecond / 60), 'minute')})`
    : '';
  const exchanges = [...healthy.results.values()].flatMap((result) => result.exchanges);
  const lasting = exchanges.filter(({ tampered }) => tampered).length;
  warn(
    `Drill of ${name}: ${counted(faults.length, 'fault')} with about ${counted(requests, 'request')}${time}. ${counted(lasting, 'more request')} of a healthy run would have permanent effects, so the drill responds instead of the service.`,
  );
  if (environment.isLoopback || yes || process.env.CI === 'true') return;
  if (!(process.stdin.isTTY && process.stderr.isTTY))
    throw new ConfigurationError(
      `Nothing was sent to ${name}: there is no terminal to ask on. Use --yes (or CI=true) to agree to the above.`,
    );
  if (!(await agreed(`Drill ${name}? [y/N] `)))
    throw new ConfigurationError(`Nothing was sent to ${name}: no consent.`);
}
