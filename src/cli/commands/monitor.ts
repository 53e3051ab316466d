import { Command } from 'commander';
import { attempt, ConfigurationError, counted, EMBEDDED, type Environment, present } from '../../config/index.ts';
import { likelyCauseLine, likelyCauses } from '../../fault-injection/likely-cause.ts';
import { committedMatrix } from '../../fault-injection/matrix.ts';
import { symptomOf } from '../../fault-injection/symptom.ts';
import { type GuessCause, loadExposition, rareText, startMonitor, undoAgain } from '../../monitor/index.ts';
import { scenarios } from '../../runner/index.ts';
import { consentTo, undoAndReportLeftovers } from '../../scenario/index.ts';
import { chooseEnvironments, environmentOption, loadEnvironments, namesNow } from '../choosing/choose-environments.ts';
import { chooseScenarios } from '../choosing/choose-scenarios.ts';
import { someNames, type Words, withWords } from '../choosing/words.ts';
import { interruptible } from '../output/interrupt.ts';
import { say } from '../output/printable.ts';
import { fingerprintOf } from '../serving/configuration-files.ts';
import { whereEmbedded, withServices } from '../serving/embedded-service.ts';
import { keepCurrent } from '../serving/keep-current.ts';
import { SETTINGS_FILE, settingsFrom } from '../serving/settings-file.ts';
import { inHeapOf, startCompiled } from '../start/restart.ts';

interface MonitorFlags extends Words {
  readonly env: readonly string[];
  readonly every?: string;
  readonly port?: string;
  readonly listen?: string;
  readonly data?: string;
  readonly heap?: string;
  readonly public?: boolean;
  readonly settings?: string;
  readonly yes?: boolean;
}

/** How often to look whether a file of the configuration has changed. */
const LOOK_MS = 5_000;

/** `sextant monitor`: monitors environments, with history, alerts and a status page. */
export function monitor(): Command {
  return withWords(new Command('monitor'), 'scenarios')
    .addOption(environmentOption('monitor').default([], 'the embedded service'))
    .option('--every <time>', 'how often each scenario runs, 5s to 1h (default: 60s)')
    .option('--port <number>', 'port of the status page; 0 picks a free one (default: 9464)')
    .option('--listen <address>', 'address that the status page listens on (default: 127.0.0.1)')
    .option('--data <folder>', 'folder for the history (default: ./monitor-data)')
    .option('--heap <MB>', 'memory for its own objects (default: 160)')
    .option('--public', 'show states and uptime without a token, but no reasons or addresses')
    .option('--settings <file>', `settings file (default: ${SETTINGS_FILE})`)
    .option('--yes', 'consent to what a first run against an environment may do')
    .action(async (flags: MonitorFlags) => {
      const { environments, settings } = load(flags);
      inHeapOf(settings.heapMb);
      const chosen = chooseScenarios(await scenarios(), flags);
      await startCompiled(loadExposition);
      for (const environment of environments) await consentTo(environment, { yes: flags.yes ?? false });
      const interrupted = interruptible();
      await withServices(environments, flags.env.length > 0, async (at) => {
        for (const environment of at) await undoAndReportLeftovers(environment, interrupted);
        // A free port that was picked at the start stays.
        let { port } = settings;
        const running = await keepCurrent<Configuration, Awaited<ReturnType<typeof begin>>>({
          first: { environments: at, settings },
          load: async () => {
            const next = load(flags);
            for (const environment of next.environments) await consentTo(environment, { yes: flags.yes ?? false });
            return { ...next, environments: next.environments.map((each) => whereEmbedded(each, at)) };
          },
          start: async ({ environments: watched, settings: current }) => {
            const begun = await begin(watched, { ...current, port: current.port || port }, chosen, interrupted);
            port = begun.port;
            return begun;
          },
          fingerprint: () => fingerprintOf(filesOf(flags)),
          say,
          signal: interrupted,
          everyMs: LOOK_MS,
        });
        say(endedText(running.lost));
      });
    });
}

/** Starts a monitor, and says what it does. */
async function begin(
  environments: readonly Environment[],
  settings: Configuration['settings'],
  chosen: Parameters<typeof startMonitor>[0]['scenarios'],
  signal: AbortSignal,
) {
  const { monitor, url, stop } = await startMonitor({ environments, settings, scenarios: chosen, say, guessCause });
  say(
    `Monitoring ${counted(monitor.targets.length, 'scenario')} in ${someNames(environments.map(({ name }) => name))}.`,
  );
  const rare = rareText(monitor.targets);
  if (rare) say(rare);
  say(`Status page: ${url}   History: ${settings.data}`);
  say(
    `Alert channels: ${[...settings.channels.keys()].join(', ') || 'none (see docs/monitoring.md)'}. Press Ctrl-C to stop.`,
  );
  const endUndoing = undoAgain({ environments, signal, say });
  return {
    port: Number(new URL(url).port),
    get lost() {
      return monitor.lost;
    },
    stop: async () => {
      await endUndoing();
      await stop();
    },
  };
}

function filesOf({ env, settings = SETTINGS_FILE }: MonitorFlags) {
  return { environments: namesNow(env), settings, process: process.env };
}

function endedText({ runs, uncounted }: { readonly runs: number; readonly uncounted: number }): string {
  if (runs === 0) return 'Stopped. The history is complete.';
  const rest = uncounted === 0 ? 'the history counts them as missed' : `the history does not contain ${uncounted}`;
  return `Stopped. ${counted(runs, 'run')} could not be recorded: ${rest}.`;
}

interface Configuration {
  readonly environments: readonly Environment[];
  readonly settings: ReturnType<typeof settingsFrom>;
}

/** Loads environments and settings, with all problems in one error. */
function load({ env, settings: named, ...flags }: MonitorFlags): Configuration {
  const { every: EVERY, port: PORT, listen: LISTEN, data: DATA, heap: HEAP } = flags;
  const given = { EVERY, PORT, LISTEN, DATA, HEAP, PUBLIC: flags.public ? 'yes' : undefined };
  const environments = attempt(() => loadEnvironments(chooseEnvironments(env.length > 0 ? env : [EMBEDDED])));
  const settings = attempt(() => settingsFrom(named, present(given)));
  if (!(environments instanceof ConfigurationError || settings instanceof ConfigurationError))
    return { environments, settings };
  const problems = [environments, settings].flatMap((each) =>
    each instanceof ConfigurationError ? [each.message] : [],
  );
  throw new ConfigurationError(problems.join('\n\n'));
}

/** The likely cause of an incident, from the kill matrix. The matrix is read each time: incidents are looked at rarely. */
export const guessCause: GuessCause = (failed, ran) => {
  const red = failed.map(({ ending, ...scenario }) => ({
    ...scenario,
    ...(ending ? { symptom: symptomOf(ending) } : {}),
  }));
  return likelyCauseLine(likelyCauses(committedMatrix(), red, ran)) || undefined;
};
