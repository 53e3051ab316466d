import { Command, Option } from 'commander';
import { counted, duration, type Environment, integer, loadEnvironment, partsOf } from '../../environment/index.ts';
import { startSpans } from '../../http/index.ts';
import { startProber } from '../../prober/index.ts';
import { scenarios } from '../../run/index.ts';
import { assertConsent, consentTo } from '../../safety/index.ts';
import { staysWhateverIsLate } from '../../scenario/index.ts';
import { chooseEnvironments, environmentOption, namesNow } from '../choosing/choose-environments.ts';
import { chooseScenarios } from '../choosing/choose-scenarios.ts';
import { checked, someNames, type Words, withWords } from '../choosing/selection-options.ts';
import { interruptible, say, warn } from '../output/terminal.ts';
import { admit, listenAddress, restricted, stateProblem } from '../serving/admit.ts';
import { withEmbedded } from '../serving/embedded-service.ts';
import { fingerprintOf, untilNextLook } from '../serving/keep-current.ts';

interface ProberFlags extends Words {
  readonly env: readonly string[];
  readonly listen?: string;
  readonly hosts?: string;
  readonly offset: number;
  readonly concurrency: number;
  readonly queue: number;
  readonly trustState?: boolean;
  readonly yes?: boolean;
}

/** Time limit for running scenarios when the prober stops: less than the 30 s of grace that Kubernetes gives a pod. */
const DRAIN_MS = 20_000;

/** `sextant prober`: runs scenarios when Prometheus requests a probe. */
export function prober(): Command {
  return withWords(new Command('prober'), 'scenarios')
    .addOption(environmentOption('probe').default([], 'the embedded service'))
    .option('--listen <address>', 'host and port to listen on (default: PROBER_LISTEN, or 127.0.0.1:9465)')
    .option(
      '--hosts <names>',
      'host names that requests of Prometheus may use, comma-separated (default: PROBER_HOSTS; if that is not set: any, but none on a loopback address)',
    )
    .addOption(
      new Option('--offset <time>', 'how long before the scrape timeout to respond')
        .argParser(checked(duration('0ms', '10s')))
        .default(500, '500ms'),
    )
    .option('--concurrency <number>', 'runs at once', checked(integer(1, 1_000)), 50)
    .option('--queue <number>', 'runs that may wait; more get 503', checked(integer(0, 10_000)), 500)
    .option('--trust-state', 'use the state folder although its files may be lost when this process ends')
    .option('--yes', 'consent to what a first run against an environment may do')
    .action(probe);
}

async function probe(flags: ProberFlags): Promise<void> {
  staysWhateverIsLate();
  const {
    env,
    listen,
    hosts = process.env.PROBER_HOSTS ?? '',
    offset,
    concurrency,
    queue,
    trustState,
    yes = false,
    ...words
  } = flags;
  const address = listenAddress(listen ?? process.env.PROBER_LISTEN, listen ? '--listen' : 'PROBER_LISTEN');
  const first = chooseEnvironments(env);
  const chosen = chooseScenarios(await scenarios(), words);
  const lost = trustState ? undefined : stateProblem();
  await using _spans = await startSpans(warn);
  const interrupted = interruptible();
  await withEmbedded(first, env.length > 0, async (asServed) => {
    let mayAsk = true;
    let names: readonly string[] = first;
    // Asks for consent on the terminal only at the start. A question at a later time would block every probe until somebody answers it.
    const consent = (environment: Environment) =>
      yes || mayAsk ? consentTo(environment, { yes, isKept: lost === undefined }) : assertConsent(environment);
    const running = await startProber({
      source: {
        names: () => {
          // If no environment matches any more, for example because their folder can't be read for a moment, the prober keeps the
          // environments that it has.
          const now = namesNow(env);
          if (now.length > 0) names = now;
          return names;
        },
        load: (name) => admit(() => restricted(asServed(loadEnvironment(name)), lost), consent),
        fingerprint: (name) => fingerprintOf({ environments: [name], process: process.env }),
      },
      scenarios: chosen,
      listen: address,
      hosts: partsOf(hosts).map((name) => name.toLowerCase()),
      limits: { concurrency, waiting: queue },
      offsetMs: offset,
      say,
    });
    mayAsk = false;
    say(`Probing ${counted(chosen.length, 'scenario')} in ${someNames(running.prober.store.names)}.`);
    say(`Prober: ${running.url}   Targets: ${running.url}targets. Press Ctrl-C to stop.`);
    while (!interrupted.aborted) {
      await untilNextLook(interrupted);
      if (!interrupted.aborted) await running.prober.store.look();
    }
    say('Stopping: finishing the runs under way.');
    await running.stop(DRAIN_MS);
    say('Stopped.');
  });
}
