import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import type { DoTasks } from './in-processes.ts';

// A process that `inProcesses` starts. It passes its share of the tasks to `work`, which the module in argv exports. It ends together with
// its parent process, even if somebody kills the parent.
process.once('disconnect', () => process.exit());
const [tasks] = await once(process, 'message');
const { work } = (await import(String(pathToFileURL(process.argv[2] ?? '')))) as { work: DoTasks<unknown, object> };
await work(tasks, (message) => process.send?.(message));
// All tasks are done. Messages about errors that came after the end of their scenario have been printed. Remove the exit listener, which
// would make this process fail because of these errors.
process.removeAllListeners('exit');
process.disconnect?.();
