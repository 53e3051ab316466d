import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { loadEnvironment } from '../../environment/index.ts';
import { runScenario, scenarios } from '../../run/index.ts';
import { Journal } from '../../safety/journal.ts';
import { journalFolder } from '../../safety/journal-file.ts';
import { nodeTransports, type Transports } from '../../scenario/index.ts';
import { type OperationId, operation } from '../../service/index.ts';

/** The point at which a run stops: while it records the change in the journal, or at a request. */
export type KillStep =
  | 'before the record'
  | 'half of the record is on disk'
  | 'after the record, before the change is sent'
  | 'the service made the change, its response is unread'
  | 'the response is noted, before the next request'
  | 'the service undid it, its response is unread'
  | 'the undo is noted, before the next request'
  | 'after the next response, which is unread';

export interface KilledRuns {
  readonly title: string;
  /**
   * The operation that makes the change. The operation `undo` undoes it. After the change, the scenario itself calls `undo` as often as
   * `undoAfter` says; only the next call is the undo.
   */
  readonly change: OperationId;
  readonly undo: OperationId;
  readonly undoAfter: number;
  /** The name of the environment of each run, and the step at which the run stops. */
  readonly stops: readonly Stop[];
}

interface Stop {
  readonly name: string;
  readonly step: KillStep;
}

// Plays the scenario in all environments at once, and stops each run at the point that its `step` gives. When all runs have stopped or ended, this
// process sends a message to its parent.
const run = JSON.parse(process.argv[2] ?? '') as KilledRuns;
const [scenario] = (await scenarios()).filter(({ title }) => title === run.title);
if (!scenario) throw new Error(`no scenario ${run.title}`);
let left = run.stops.length;
const arrived = (): Promise<never> => {
  if (--left === 0) process.send?.('there');
  return new Promise(() => {});
};
const current = new AsyncLocalStorage<Stop>();

const add = Journal.prototype.add;
Journal.prototype.add = async function (change) {
  const { name, step } = current.getStore() as Stop;
  if (!/record/.test(step)) return add.call(this, change);
  if (step === 'before the record') return arrived();
  const entry = await add.call(this, change);
  if (step === 'half of the record is on disk') tear(name, entry.id);
  return arrived();
};

function tear(name: string, id: string): void {
  for (const file of fs.readdirSync(journalFolder({ name }), { withFileTypes: true })) {
    const path = `${journalFolder({ name })}/${file.name}`;
    const text = fs.readFileSync(path, 'utf8');
    if (text.includes(id)) fs.truncateSync(path, Math.floor(text.length / 2));
  }
}

/** Transports for one environment: they count its requests, and stop its run at the given point (`step`). */
function stopping(step: KillStep): Transports {
  const transports = nodeTransports();
  const isOf = (id: OperationId, method: string, path: string) =>
    operation(id).method === method && path.startsWith(operation(id).path.split('{')[0] ?? '');
  let [changes, undos, after] = [0, 0, 0];
  return {
    ...transports,
    of: async (area) => {
      const { request } = await transports.of(area).then((each) => ({ request: each.request.bind(each) }));
      return {
        request: async (sent) => {
          const { pathname } = sent.url;
          if (step === 'the response is noted, before the next request' && changes === 1) return arrived();
          const isUndone = undos > run.undoAfter;
          if (step === 'the undo is noted, before the next request' && isUndone) return arrived();
          const answer = await request(sent);
          if (changes > 0 && isOf(run.undo, sent.method, pathname)) undos++;
          else if (isOf(run.change, sent.method, pathname)) changes++;
          else if (!isUndone) return answer;
          if (step === 'the service made the change, its response is unread' && changes === 1) return arrived();
          if (step === 'the service undid it, its response is unread' && undos > run.undoAfter) return arrived();
          if (isUndone) after++;
          if (step === 'after the next response, which is unread' && after === 1) return arrived();
          return answer;
        },
      };
    },
  };
}

for (const stop of run.stops)
  void current.run(stop, () =>
    runScenario(scenario, {
      environment: loadEnvironment(stop.name),
      seed: '1',
      runId: `kill-${stop.name}`,
      transports: stopping(stop.step),
      timeoutMs: 600_000,
    }).then(arrived),
  );
