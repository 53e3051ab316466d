import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import type { DoTasks } from './in-processes.ts';

// Started by `inProcesses`. Does its share of the tasks with `work` of the module in argv. Ends with its parent process, even if the parent
// was killed.
process.once('disconnect', () => process.exit());
const [tasks] = await once(process, 'message');
const { work } = (await import(String(pathToFileURL(process.argv[2] ?? '')))) as { work: DoTasks<unknown, object> };
await work(tasks, (message) => process.send?.(message));
// All tasks are done. Messages about errors that came after the end of their scenario have been printed. Remove the exit listener, which
// would make this process fail because of these errors.
process.removeAllListeners('exit');
process.disconnect?.();
