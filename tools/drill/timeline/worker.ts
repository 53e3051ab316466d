import { ownTasks } from '../../../src/fault-injection/in-processes.ts';
import { outageWays, wireFaults } from '../../../src/fault-injection/wire/faults.ts';
import { type Cell, playTimeline } from './play.ts';
import { services, withWire } from './services.ts';

/** Some faults on one service: every `of`th, from the `from`th on. */
export interface TimelineTask {
  readonly service: string;
  readonly from: number;
  readonly of: number;
}

export interface TimelineMessage {
  readonly service: string;
  readonly cell: Cell;
}

/** Strangers have a few stored items, which a healthy look uses up. */
const fewItems = (service: string) => !service.startsWith('reference');

for (const { service, from, of } of await ownTasks<TimelineTask>())
  await services[service]?.((environment) =>
    withWire(environment, async (breakable) => {
      const all = wireFaults().filter(
        ({ operation, way }) => outageWays.includes(way.id) && !(fewItems(service) && operation.id === 'deleteItem'),
      );
      const chosen = all.filter((_, index) => index % of === from);
      await playTimeline(breakable, chosen, (cell) => process.send?.({ service, cell } satisfies TimelineMessage));
    }),
  );
process.disconnect?.();
