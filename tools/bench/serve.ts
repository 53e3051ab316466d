import { startService } from '../../reference-service/index.ts';

/** The reference service in a process of its own, so that its costs aren't counted as the caller's. */
const { addresses, provisionUrl } = await startService({ port: 0 });
process.send?.({ addresses, provisionUrl });
process.once('disconnect', () => process.exit());
