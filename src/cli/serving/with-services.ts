import { PortTaken } from '../../../reference-service/port-taken.ts';
import { EMBEDDED, type Environment } from '../../config/index.ts';
import { withService } from './embedded-service.ts';

/** Runs `work` with the embedded service if it is among the environments; a named one that already runs is used unchanged. */
export async function withServices(
  environments: readonly Environment[],
  areNamed: boolean,
  work: (at: readonly Environment[]) => Promise<void>,
): Promise<void> {
  const embedded = environments.find(({ name }) => name === EMBEDDED);
  if (!embedded) return work(environments);
  const workAt = (at: Environment) => work(environments.map((each) => (each === embedded ? at : each)));
  try {
    await withService(embedded, workAt, { mayMove: !areNamed });
  } catch (error) {
    if (!(error instanceof PortTaken) || !areNamed) throw error;
    process.stdout.write(`The ports of ${EMBEDDED} are in use already: using the service that listens there.\n`);
    await work(environments);
  }
}
