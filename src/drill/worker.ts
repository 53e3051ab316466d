import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import type { DoTasks } from './in-processes.ts';

// A process that does its share of the tasks with `work` of the module that it is given. It ends with its parent process, whatever ends the parent.
process.once('disconnect', () => process.exit());
const [tasks] = await once(process, 'message');
const { work } = (await import(String(pathToFileURL(process.argv[2] ?? '')))) as { work: DoTasks<unknown, object> };
await work(tasks, (message) => process.send?.(message));
// The share is done, and errors that came too late for their scenario have been printed, so no exit listener may fail the process.
process.removeAllListeners('exit');
process.disconnect?.();
