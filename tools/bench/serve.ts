import { startService } from '../../reference-service/index.ts';

/** The reference service in a separate process, so that its cost doesn't count for the caller. */
const { addresses, provisionUrl } = await startService({ port: 0 });
process.send?.({ addresses, provisionUrl });
process.once('disconnect', () => process.exit());
