import { Skipped, type Transports, type World } from '../../scenario/index.ts';

const refuse = async (): Promise<never> => {
  throw new Error('nothing is sent in a dry run');
};

/** Connections of a dry run, which throw if anything is sent. */
export const offline: Transports = {
  of: refuse,
  refused: refuse,
  ask: refuse,
  dispose: async () => {},
};

/**
 * Checks whether the environment has the data for the fixtures that a scenario names. With the `offline` connections, this sends nothing.
 * @throws Skipped if data is missing; otherwise the first error of a fixture, for example because a dry run can't ask the provisioner
 */
export async function assertData(world: World, names: readonly string[]): Promise<void> {
  const tried = await Promise.allSettled(names.map((name) => world.fixture(name)));
  const errors = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (errors.length > 0) throw errors.find((error) => error instanceof Skipped) ?? errors[0];
}
