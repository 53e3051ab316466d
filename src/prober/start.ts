import type { Scenario } from '../runner/index.ts';
import { type EnvironmentSource, EnvironmentStore } from './environment-store.ts';
import { Modules } from './modules.ts';
import type { QueueLimits } from './probe-queue.ts';
import { Prober } from './prober.ts';
import { proberServer } from './server.ts';

export interface StartOptions {
  readonly source: EnvironmentSource;
  readonly scenarios: readonly Scenario[];
  readonly listen: { readonly host: string; readonly port: number };
  readonly limits: QueueLimits;
  /** What is taken off the scrape timeout, in ms. */
  readonly offsetMs: number;
  /** Prints a line on the console. */
  readonly say: (line: string) => void;
}

/** Time for the last responses to leave, in ms. */
const LAST_BYTES_MS = 2_000;

/**
 * Starts a prober that answers: loads the environments, and listens.
 * @throws ConfigurationError when none can be used, or the address can't be listened on
 */
export async function startProber(options: StartOptions) {
  const { source, scenarios, listen, limits, offsetMs, say } = options;
  const store = new EnvironmentStore(source, say);
  await store.look();
  store.assertOne();
  const prober = new Prober(store, new Modules(scenarios), limits, say);
  const server = proberServer(prober, offsetMs, listen.host);
  const url = await server.listen({ ...listen, option: '--listen' });
  return {
    /** With a trailing slash. */
    url,
    prober,
    /** Finishes what is under way for at most `longestMs`, cleans up, and closes. */
    stop: async (longestMs: number) => {
      await prober.drain(longestMs);
      await server.close(LAST_BYTES_MS);
    },
  };
}
