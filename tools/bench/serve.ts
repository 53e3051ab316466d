import { startService } from '../../reference-service/index.ts';

/** Runs the reference service in a separate process, so that its CPU time isn't counted as that of the caller. */
const { addresses, provisionUrl } = await startService({ port: 0 });
process.send?.({ addresses, provisionUrl });
process.once('disconnect', () => process.exit());
