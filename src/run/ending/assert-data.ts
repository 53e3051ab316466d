import { Skipped, type Transports, type World } from '../../scenario/index.ts';

const refuse = async (): Promise<never> => {
  throw new Error('nothing is sent in a dry run');
};

/** Connections of a dry run: using one throws. */
export const offline: Transports = {
  of: refuse,
  refused: refuse,
  ask: refuse,
  dispose: async () => {},
};

/**
 * Finds out whether the environment has what a scenario asks for. In a world whose connections are `offline`, this sends nothing.
 * @throws Skipped if data is missing; otherwise the first error that keeps a value from being created, such as a provisioner that isn't asked
 */
export async function assertData(world: World, names: readonly string[]): Promise<void> {
  const tried = await Promise.allSettled(names.map((name) => world.fixture(name)));
  const errors = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (errors.length > 0) throw errors.find((error) => error instanceof Skipped) ?? errors[0];
}
