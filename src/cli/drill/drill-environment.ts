import { join } from 'node:path';
import { redact } from '../../client/index.ts';
import { fileRoles, replaceText } from '../../config/files/index.ts';
import { shown } from '../../config/files/shown.ts';
import { ConfigurationError, type Environment } from '../../config/index.ts';
import {
  drillService,
  healthyRun,
  plannedRequests,
  playedFor,
  type WireFault,
  type WireOutcome,
  wireFaults,
  wireScore,
} from '../../fault-injection/index.ts';
import { addToJobPage, LiveLine, progressText } from '../../reporting/index.ts';
import { type Scenario, scenarios } from '../../runner/index.ts';
import { agreed, consentTo, outputFolder, takeRunLock, undoAndReportLeftovers } from '../../scenario/index.ts';
import { loadEnvironments } from '../choosing/choose-environments.ts';
import { onSubstitute } from '../connect/dry-run/dry-run.ts';
import { interruptible } from '../output/interrupt.ts';
import { sayDocuments, warn } from '../output/printable.ts';
import { withService } from '../serving/embedded-service.ts';
import { plannedText, scoreLine, wireBadge, wireDocument, wirePage, wireRow } from './report.ts';

/** The options of the command about an environment. */
export interface EnvironmentDrillFlags {
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly failUnder?: number;
}

interface EnvironmentDrillOptions extends EnvironmentDrillFlags {
  readonly env: readonly string[];
  /** Chooses the faults. */
  readonly isChosen: (fault: WireFault) => boolean;
}

/** Fixed, so that every drill uses the same data. */
const SEED = 'drill';

/** How often progress is told where no line can be drawn, in ms. */
const TOLD_EVERY_MS = 30_000;

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
  await announce(environment, faults, played, yes);

  const startedAt = performance.now();
  const outcomes: WireOutcome[] = [];
  let requests = 0;
  const spent = () => performance.now() - startedAt;
  const live = new LiveLine(process.stderr, () => progress());
  let current = 'the healthy run';
  const progress = () =>
    `drill of ${name} ${progressText({
      total: faults.length,
      elapsedMs: spent(),
      ended: outcomes.map((each) => ({ title: each.name, verdict: 'passed' })),
      underWay: [{ title: current, area: 'all' }],
    })}`;
  let toldAt = performance.now();
  const release = await takeRunLock(environment, { say: warn });
  try {
    await withService(environment, async (at) => {
      await undoAndReportLeftovers(at, signal);
      const drilled = await drillService({
        environment: at,
        scenarios: played,
        faults,
        seed: SEED,
        signal,
        onOutcome: (outcome) => {
          outcomes.push(outcome);
          current = outcome.name;
          if (!json) live.print([wireRow(outcome)]);
          const now = performance.now();
          if (process.stderr.isTTY || now - toldAt < TOLD_EVERY_MS) return;
          toldAt = now;
          process.stderr.write(`${progress()}\n`);
        },
      });
      requests = drilled.requests;
    });
  } finally {
    release();
    live.end();
  }
  const { percent } = wireScore(outcomes);
  const document = wireDocument(name, { outcomes, requests, durationMs: spent() });
  if (signal.aborted) {
    warn(`${name}: ${outcomes.length} of ${faults.length} faults drilled.`);
    return { code: 3, document };
  }
  const line = scoreLine(name, outcomes);
  const page = writePages(name, outcomes);
  if (!json)
    process.stdout.write(`\n${redact(line)}\n${requests} requests in ${Math.round(spent() / 1_000)} s\nPage ${page}\n`);
  addToJobPage(`\n${line}\n`, undefined);
  return { code: percent < failUnder || outcomes.every(({ became }) => became !== 'caught') ? 1 : 0, document };
}

/** What will be sent is said, and asked for, before anything is. It is counted on the embedded service, with the same permissions and gaps. */
async function announce(
  environment: Environment,
  faults: readonly WireFault[],
  played: readonly Scenario[],
  yes: boolean,
): Promise<void> {
  const { name, rateLimits } = environment;
  const healthyOn = (substitute: Environment) => healthyRun({ environment: substitute, scenarios: played, seed: SEED });
  const results = await onSubstitute(environment, healthyOn, { quiet: true });
  const healthy = new Map(results.map((result) => [result.title, result]));
  const requests = plannedRequests(faults, played, healthy);
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

/** The page and the badge of a drill, beside the report. */
function writePages(name: string, outcomes: readonly WireOutcome[]): string {
  const file = (type: string) => join(outputFolder(), 'drill', `${name}.${type}`);
  replaceText(file('html'), redact(wirePage(name, outcomes, Date.now())), fileRoles.output);
  replaceText(file('svg'), redact(wireBadge(name, outcomes)), fileRoles.output);
  return shown(file('html'));
}
