import { Command } from 'commander';
import { unlessFileTrouble } from '../../environment/files/index.ts';
import { counted, definedFields, type Environment } from '../../environment/index.ts';
import { startSpans } from '../../http/index.ts';
import { startMonitor, usedUpText } from '../../monitor/index.ts';
import { scenarios } from '../../run/index.ts';
import { assertJournalsWhole, consentTo, leftoversOf, stoppedText } from '../../safety/index.ts';
import { staysWhateverIsLate } from '../../scenario/index.ts';
import { environmentOption, loadEnvironments, namesNow, together } from '../choosing/choose-environments.ts';
import { chooseScenarios, KEEP_ITEMS, KEEP_ITEMS_HELP } from '../choosing/choose-scenarios.ts';
import { append, someNames, type Words, withWords } from '../choosing/selection-options.ts';
import { interruptible, say, warn } from '../output/terminal.ts';
import { type AskedMonitor, askMonitor, withMonitor } from '../serving/ask-monitor.ts';
import { withEmbedded } from '../serving/embedded-service.ts';
import { fingerprintOf, keepCurrent } from '../serving/keep-current.ts';
import { SETTINGS_FILE, settingsFrom } from '../serving/settings-file.ts';

interface MonitorFlags extends Words {
  readonly env: readonly string[];
  readonly keepItems?: boolean;
  readonly every?: string;
  readonly port?: string;
  readonly listen?: string;
  readonly data?: string;
  readonly public?: boolean;
  readonly settings?: string;
  readonly yes?: boolean;
}

export function monitor(): Command {
  const command = withWords(new Command('monitor'), 'scenarios')
    .addOption(environmentOption('monitor').default([], 'the embedded service'))
    .option(KEEP_ITEMS, KEEP_ITEMS_HELP)
    .option('--every <time>', 'how often each scenario runs, 5s to 1h (default: 60s)')
    .option('--port <number>', 'port of the status page; 0 picks a free one (default: 9464)')
    .option('--listen <address>', 'address that the status page listens on (default: 127.0.0.1)')
    .option('--data <folder>', 'folder for the history (default: ./monitor-data)')
    .option('--public', 'show states and uptime without a token, but no reasons or addresses')
    .option('--settings <file>', `settings file (default: ${SETTINGS_FILE})`)
    .option('--yes', 'consent to what a first run against an environment may do')
    .action(async (flags: MonitorFlags) => {
      staysWhateverIsLate();
      const files = { settings: flags.settings ?? SETTINGS_FILE, process: process.env };
      const fingerprint = () => fingerprintOf({ environments: namesNow(flags.env), ...files });
      const { environments, settings } = load(flags);
      // Compute the fingerprint directly after loading the files. The wait for consent may take minutes, and the monitor must notice a
      // change of the files in this time.
      const seen = fingerprint();
      const chosen = chooseScenarios([...(await scenarios()), ...(await scenarios('facts'))], flags);
      for (const environment of environments) await consentTo(environment, { yes: flags.yes ?? false });
      await using _spans = await startSpans(warn);
      const interrupted = interruptible();
      const names = environments.map(({ name }) => name);
      await withEmbedded(names, flags.env.length > 0, async (asServed) => {
        const first = environments.map(asServed);
        for (const environment of first) assertJournalsWhole(environment);
        // If the settings ask for any free port (0), the monitor gets one at its first start. It keeps this port when it restarts with a
        // changed configuration.
        let { port } = settings;
        let last: readonly Environment[] = first;
        /**
         * How many runs could not be recorded since this process started. Each change of the configuration starts a new monitor, so this is
         * the sum over all these monitors.
         */
        let lost = 0;
        await keepCurrent<Configuration, { stop(): Promise<void> }>({
          first: { environments: first, settings },
          seen,
          load: async () => {
            const next = load(flags);
            for (const environment of next.environments) await consentTo(environment, { yes: flags.yes ?? false });
            return { ...next, environments: next.environments.map(asServed) };
          },
          start: async ({ environments: watched, settings: current }) => {
            const begun = await begin(watched, { ...current, port: current.port || port }, chosen);
            port = begun.port;
            last = watched;
            const stop = async () => {
              await begun.stop();
              lost += begun.monitor.recorder.lost;
            };
            return { stop };
          },
          fingerprint,
          say,
          signal: interrupted,
        });
        for (const environment of last) sayLeft(environment);
        say(endedText(lost));
      });
    });
  withMonitor(command.command('run'))
    .description('have a running monitor run these scenarios now')
    .argument('<title...>', "titles, or patterns such as 'love*'")
    .option('--env <name>', 'environment, or a pattern such as prod-*; repeatable (default: all)', append)
    .action((titles: readonly string[], { env = [], ...flags }: AskedMonitor & { readonly env?: readonly string[] }) =>
      askMonitor('run', [...titles.map((title) => ['scenario', title] as const), ['env', env.join(',')]], flags),
    );
  return command;
}

async function begin(
  environments: readonly Environment[],
  settings: Configuration['settings'],
  chosen: Parameters<typeof startMonitor>[0]['scenarios'],
) {
  const { monitor, url, stop } = await startMonitor({ environments, settings, scenarios: chosen, say });
  const names = someNames(environments.map(({ name }) => name));
  say(`Monitoring ${counted(monitor.targets.length, 'scenario')} in ${names}.`);
  const usedUp = usedUpText(monitor.targets);
  if (usedUp) say(`${usedUp} ${KEEP_ITEMS} leaves these scenarios out.`);
  say(`Status page: ${url}   History: ${settings.data}`);
  const channels = [...settings.channels.keys()].join(', ') || 'none (see docs/monitor.md)';
  say(`Alert channels: ${channels}. Press Ctrl-C to stop.`);
  return { monitor, port: Number(new URL(url).port), stop };
}

/** Warns of changes that stopped runs left behind, and that the next run will undo. */
function sayLeft(environment: Environment): void {
  const left = unlessFileTrouble(() => leftoversOf(environment)) ?? [];
  if (left.length > 0) warn(stoppedText(environment.name, left));
}

function endedText(lost: number): string {
  return `Stopped. ${lost === 0 ? 'The history is complete' : `${counted(lost, 'run')} could not be recorded`}.`;
}

type Configuration = ReturnType<typeof load>;

/** Loads environments and settings, with all problems in one error. */
function load({ env, settings: named, ...flags }: MonitorFlags) {
  const { every: EVERY, port: PORT, listen: LISTEN, data: DATA } = flags;
  const given = { EVERY, PORT, LISTEN, DATA, PUBLIC: flags.public ? 'yes' : undefined };
  const [environments, settings] = together([
    () => loadEnvironments(env),
    () => settingsFrom(named, definedFields(given)),
  ]);
  return { environments, settings };
}
