import { type Fault, faults, startService } from '../../reference-service/index.ts';

/**
 * Runs the reference service in a separate process, so that its CPU time isn't counted as that of the caller. Each argument switches on a fault: the
 * name of a fault, or an operation with the status that it always responds with (`unblock=500`).
 */
const service = await startService({ port: 0 });
service.faults.set(...process.argv.slice(2).map(faultOf));
process.send?.({ addresses: service.addresses, provisionUrl: service.provisionUrl });
process.once('disconnect', () => process.exit());

function faultOf(text: string): Fault {
  const [operation, status] = text.split('=');
  const named = faults.find(({ name }) => name === text);
  if (!named && !status) throw new Error(`no fault is called ${text}`);
  const handle = () => () => ({ status: Number(status), body: {} });
  return named ?? { name: text, operation: operation as Fault['operation'], handle };
}
