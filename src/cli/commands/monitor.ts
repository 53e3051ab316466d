import { once } from 'node:events';
import { Command } from 'commander';
import { PortTaken } from '../../../reference-service/port-taken.ts';
import { ConfigurationError, counted, EMBEDDED, type Environment } from '../../config/index.ts';
import { loadSettings, startMonitor, undoAgain } from '../../monitor/index.ts';
import { scenarios } from '../../runner/index.ts';
import { consentTo, undoAndReportLeftovers } from '../../scenario/index.ts';
import { withService } from '../embedded-service.ts';
import { interruptible } from '../interrupt.ts';
import { loadEnvironments } from '../load-environments.ts';
import { SETTINGS_FILE } from '../settings-file.ts';

interface MonitorFlags {
  readonly env: readonly string[];
  readonly every?: string;
  readonly port?: string;
  readonly listen?: string;
  readonly data?: string;
  readonly public?: boolean;
  readonly settings?: string;
  readonly yes?: boolean;
}

/** `sextant monitor`: monitors environments, with history, alerts and a status page. */
export function monitor(): Command {
  return new Command('monitor')

    .option('--env <name>', 'environment to monitor; repeat for several (default: the embedded service)', collect, [])
    .option('--every <time>', 'how often each scenario runs, 5s to 1h (default: 60s)')
    .option('--port <number>', 'port of the status page; 0 picks a free one (default: 9464)')
    .option('--listen <address>', 'address that the status page listens on (default: 127.0.0.1)')
    .option('--data <folder>', 'folder for the history (default: ./monitor-data)')
    .option('--public', 'show states and uptime without a token, but no reasons or addresses')
    .option('--settings <file>', `settings file (default: ${SETTINGS_FILE})`)
    .option('--yes', 'consent to what a first run against an environment may do')
    .action(async (flags: MonitorFlags) => {
      const { environments, settings } = load(flags);
      for (const environment of environments) await consentTo(environment, { yes: flags.yes ?? false });
      const interrupted = interruptible();
      await withServices(environments, flags.env.length > 0, async () => {
        for (const environment of environments) await undoAndReportLeftovers(environment, interrupted);
        const running = await startMonitor({ environments, settings, scenarios: await scenarios(), say });
        say(
          `Monitoring ${counted(running.monitor.targets.length, 'scenario')} in ${environments.map(({ name }) => name).join(', ')}.`,
        );
        say(`Status page: ${running.url}   History: ${settings.data}`);
        say(
          `Alert channels: ${[...settings.channels.keys()].join(', ') || 'none (see docs/monitoring.md)'}. Press Ctrl-C to stop.`,
        );
        const endUndoing = undoAgain({ environments, signal: interrupted, say });
        if (!interrupted.aborted) await once(interrupted, 'abort');
        await endUndoing();
        await running.stop();
        say(endedText(running.monitor.lost));
      });
    });
}

function endedText({ runs, uncounted }: { readonly runs: number; readonly uncounted: number }): string {
  if (runs === 0) return 'Stopped. The history is complete.';
  const rest = uncounted === 0 ? 'the history counts them as missed' : `the history does not contain ${uncounted}`;
  return `Stopped. ${counted(runs, 'run')} could not be recorded: ${rest}.`;
}

/** Loads environments and settings, with all problems in one error. */
function load({ env, settings: named, ...flags }: MonitorFlags) {
  const problems: string[] = [];
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(error.message);
      return undefined;
    }
  };
  const environments = attempt(() => loadEnvironments(env.length > 0 ? env : [EMBEDDED]));
  const { every, port, listen, data } = flags;
  const given = { EVERY: every, PORT: port, LISTEN: listen, DATA: data, PUBLIC: flags.public ? 'yes' : undefined };
  const settings = attempt(() =>
    loadSettings({
      file: named ?? SETTINGS_FILE,
      isNamed: named !== undefined,
      flags: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      process: process.env,
    }),
  );
  if (!settings || !environments) throw new ConfigurationError(problems.join('\n\n'));
  return { environments, settings };
}

/** Runs `work` with the embedded service if it is monitored; a named service that already runs is monitored unchanged. */
async function withServices(
  environments: readonly Environment[],
  areNamed: boolean,
  work: () => Promise<void>,
): Promise<void> {
  const embedded = environments.find(({ name }) => name === EMBEDDED);
  if (!embedded) return work();
  try {
    await withService(embedded, work);
  } catch (error) {
    if (!(error instanceof PortTaken) || !areNamed) throw error;
    say(`The ports of ${EMBEDDED} are in use already: monitoring the service that listens there.`);
    await work();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
