import { whileServing } from '../../../reference-service/index.ts';
import { serviceReadings } from '../../../reference-service/readings/index.ts';
import type { Environment } from '../../../src/config/index.ts';
import { FaultyWire } from '../../../src/drill/wire/faulty-wire.ts';
import { faultyTransports, ReplyServer } from '../../../src/drill/wire/hook.ts';
import { nodeTransports, type Transports } from '../../../src/scenario/index.ts';
import { SILENCE_MS } from '../../../src/testing/servers/misbehaviours.ts';
import { strangers } from '../../../src/testing/survey/strangers/index.ts';
import { withStranger } from '../../../src/testing/survey/strangers/stranger.ts';
import { withFolder } from '../../../src/testing/survey/surveyed.ts';
import { embeddedEnvironment, newItems } from '../../../src/testing/test-environment.ts';

/** A service behind a wire that can be broken, and its environment as a team without a provisioner has it. */
export interface Breakable {
  readonly environment: Environment;
  readonly wire: FaultyWire;
  readonly transports: Transports;
}

type Serve = (work: (environment: Environment) => Promise<void>) => Promise<void>;

/** Readings of the reference service in which a fault leaves the most behind. */
const readings: Readonly<Record<string, (typeof serviceReadings.changeAgain)['accepted'][]>> = {
  reference: [],
  'reference, repeats refused': [serviceReadings.changeAgain.refused, serviceReadings.reportAgain.refused],
  'reference, lists that lag': [serviceReadings.listLag.some],
  'reference, success in the body': [serviceReadings.successRule.body],
};

/** Every service of the table, by name: the reference service in several readings, and those that the suite was not made with. */
export const services: Readonly<Record<string, Serve>> = Object.fromEntries([
  ...Object.keys(readings).map((name): [string, Serve] => [name, (work) => onReference(name, work)]),
  ...Object.keys(strangers).map((name): [string, Serve] => [name, (work) => onStranger(name, work)]),
]);

/** Deadlines that only an answer that never comes uses up; a list that lags is waited for, also on a busy machine. */
const quick = (service: string) => ({
  consistencyTimeoutMs: /\blag/.test(service) ? 2_000 : 300,
  requestTimeoutMs: SILENCE_MS,
  slowAfterMs: 60_000,
});

/** Enough for each look at each fault. */
const ITEMS = 1_000;

function onReference(name: string, work: Parameters<Serve>[0]): Promise<void> {
  const chosen = readings[name] ?? [];
  return withFolder(() =>
    whileServing({ port: 0, quiet: true }, async (service) => {
      service.faults.set(...chosen.flatMap(({ changes }) => changes('')));
      const successWhen = chosen.find((each) => each.successWhen)?.successWhen;
      const storedItemIds = await newItems(service, ITEMS);
      // What a survey learned of the shipped service is left out: it describes one reading.
      const { provisionUrl: _, observed: _observed, facts: _facts, ...own } = embeddedEnvironment(service, quick(name));
      const data = { ...own.data, storedItemIds };
      await work({ ...own, data, ...(successWhen ? { successWhen } : {}) });
    }),
  );
}

function onStranger(name: string, work: Parameters<Serve>[0]): Promise<void> {
  const stranger = strangers[name];
  if (!stranger) throw new Error(`there is no service ${name}`);
  return withStranger(stranger, (environment) => work({ ...environment, ...quick(name) }));
}

/** Puts a wire that can be broken in front of a service. */
export async function withWire(service: Environment, work: (breakable: Breakable) => Promise<void>): Promise<void> {
  const { provisionUrl: _, ...environment } = service;
  const wire = new FaultyWire(environment);
  const replies = await new ReplyServer().start();
  const transports = untold(faultyTransports(wire, nodeTransports(environment), { replies, sent: async () => {} }));
  try {
    await work({ environment, wire, transports });
  } finally {
    replies.stop();
    await transports.dispose();
  }
}

/** Nobody tells the suite which replies are not the service's. */
function untold(inner: Transports): Transports {
  return {
    of: async (address) => {
      const transport = await inner.of(address);
      return { request: async (request) => void (await transport.request(request)) };
    },
    ask: inner.ask,
    dispose: () => inner.dispose(),
  };
}
