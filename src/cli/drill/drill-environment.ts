import { redact } from '../../client/index.ts';
import { ConfigurationError, type Environment } from '../../config/index.ts';
import {
  drillService,
  healthyRun,
  keepDrill,
  keptDrill,
  plannedRequests,
  playedFor,
  settingsOf,
  type WireFault,
  type WireOutcome,
  wireFaults,
  wireScore,
} from '../../drill/index.ts';
import { addToJobPage } from '../../reporting/index.ts';
import { type Scenario, scenarios } from '../../runner/index.ts';
import { agreed, consentTo, takeRunLock, undoAndReportLeftovers } from '../../scenario/index.ts';
import { loadEnvironments } from '../choosing/choose.ts';
import { onSubstitute } from '../connect/dry-run.ts';
import { Progress } from '../output/progress.ts';
import { interruptible, sayDocuments, warn } from '../output/terminal.ts';
import { withService } from '../serving/embedded-service.ts';
import { plannedText, scoreLine, wireDocument, wireRow } from './report.ts';

export interface EnvironmentDrillOptions {
  readonly env: readonly string[];
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly failUnder?: number;
  readonly isChosen: (fault: WireFault) => boolean;
  readonly isPart: boolean;
}

/** Fixed, so that every drill uses the same data. */
const SEED = 'drill';

/** `sextant drill --env NAME`: whether this gate would go red on the team's own service. Returns the exit code. */
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
  if (faults.length === 0) throw new ConfigurationError(`No fault of the wire matches in ${name}.`);
  const played = playedFor(faults, [...(await scenarios()), ...(await scenarios('auth'))]);
  const settings = settingsOf(environment);
  const last = keptDrill(name);
  const begun = last && !last.isComplete && last.settings === settings && !options.isPart ? last : undefined;
  const before = begun?.outcomes ?? [];
  const left = faults.filter((fault) => !before.some((each) => each.name === fault.name));
  await announce(environment, left, played, yes, signal);
  if (before.length > 0) warn(`${name}: goes on after ${before.length} faults of an earlier drill.`);

  const startedAt = performance.now();
  const outcomes: WireOutcome[] = [...before];
  let requests = begun?.requests ?? 0;
  const spent = () => (begun?.durationMs ?? 0) + performance.now() - startedAt;
  const keep = (isComplete: boolean) => {
    const drill = { environment: name, drilledAt: Date.now(), settings, isComplete };
    if (!options.isPart) keepDrill({ ...drill, requests, durationMs: spent(), outcomes });
  };
  const progress = new Progress(`drill of ${name}`);
  progress.show(0, left.length, 'the healthy run');
  let isDone = false;
  let release = () => {};
  try {
    release = await takeRunLock(environment, { signal, say: warn });
    await withService(environment, async (at) => {
      await undoAndReportLeftovers(at, signal);
      const drilled = await drillService({
        environment: at,
        scenarios: played,
        faults: left,
        seed: SEED,
        signal,
        lastBy: new Map(last?.outcomes.map((each) => [each.name, each.by])),
        onOutcome: (outcome, sent) => {
          outcomes.push(outcome);
          requests = (begun?.requests ?? 0) + sent;
          if (!json) progress.print(wireRow(outcome));
          progress.show(outcomes.length - before.length, left.length, outcome.name);
          keep(false);
        },
      });
      requests = (begun?.requests ?? 0) + drilled.requests;
      isDone = !signal.aborted;
    });
  } catch (error) {
    // Stopped while it waited for another run.
    if (!signal.aborted || (error as Error).name !== 'AbortError') throw error;
  } finally {
    release();
    progress.end();
    if (outcomes.length > 0) keep(isDone);
  }
  const { percent } = wireScore(outcomes);
  const document = wireDocument(name, { outcomes, requests, durationMs: spent() });
  if (signal.aborted) {
    warn(`${name}: ${outcomes.length} of ${faults.length} faults drilled; the same command goes on.`);
    return { code: 3, document };
  }
  const line = scoreLine(name, outcomes);
  if (!json) process.stdout.write(`\n${redact(line)}\n${requests} requests in ${Math.round(spent() / 1_000)} s\n`);
  addToJobPage(`\n${line}\n`, undefined);
  return { code: percent < failUnder || outcomes.every(({ became }) => became !== 'caught') ? 1 : 0, document };
}

/** What will be sent is said, and asked for, before anything is. It is counted on the embedded service, with the same permissions and gaps. */
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
  const results = await onSubstitute(environment, healthyOn, { quiet: true });
  if (signal.aborted) return;
  const healthy = { scenarios: played, results: new Map(results.map((result) => [result.title, result])) };
  const requests = plannedRequests(faults, healthy);
  const text = plannedText(name, faults.length, requests, rateLimits?.maxRequestsPerSecond);
  const lasting = results.flatMap(({ exchanges }) => exchanges).filter(({ tampered }) => tampered).length;
  warn(`${text}. ${lasting} more in a healthy run would have effects that last: the drill answers them itself.`);
  if (environment.isLoopback || yes || process.env.CI === 'true') return;
  if (!(process.stdin.isTTY && process.stderr.isTTY))
    throw new ConfigurationError(
      `Nothing was sent to ${name}: there is no terminal to ask on. Use --yes (or CI=true) to agree to the above.`,
    );
  if (!(await agreed(`Drill ${name}? [y/N] `)))
    throw new ConfigurationError(`Nothing was sent to ${name}: no consent.`);
}
