import { ownTasks } from '../../../src/fault-injection/in-processes.ts';
import { services } from '../timeline/services.ts';
import { playDrill } from './play.ts';

// A process that drills some services, one after the other, and sends what came of each.
for (const service of await ownTasks<string>())
  await services[service]?.(async (environment) => void process.send?.(await playDrill(service, environment)));
process.disconnect?.();
