import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import type { DoTasks } from './in-processes.ts';

// A process that does its share of some tasks, as the module that it is given does them. It ends with the process that shares out,
// whatever ends that.
process.once('disconnect', () => process.exit());
const [tasks] = await once(process, 'message');
const { work } = (await import(String(pathToFileURL(process.argv[2] ?? '')))) as { work: DoTasks<unknown, object> };
await work(tasks, (message) => process.send?.(message));
// An error that came too late for its scenario has been printed, and the share is done.
process.removeAllListeners('exit');
process.disconnect?.();
