import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import type { DoTasks } from './in-processes.ts';

// Started by `inProcesses`. Does its share of the tasks with `work` of the module in argv. Ends with its parent process, even if the parent
// was killed.
process.once('disconnect', () => process.exit());
const [tasks] = await once(process, 'message');
const { work } = (await import(String(pathToFileURL(process.argv[2] ?? '')))) as { work: DoTasks<unknown, object> };
await work(tasks, (message) => process.send?.(message));
// All tasks are done. Errors that came too late for their scenario have been printed, so no exit listener may make this process fail.
process.removeAllListeners('exit');
process.disconnect?.();
