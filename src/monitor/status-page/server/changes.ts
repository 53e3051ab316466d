import { lastRuns } from '../../history/runs.ts';
import type { KnownScenario } from '../../history/scenarios.ts';
import type { RunRecorder } from '../../recording/run-recorder.ts';
import type { Incident } from '../../status/incident.ts';
import { incidentEvent } from '../incident/open-problems.ts';
import { lineFigures } from '../overview/environment-sections.ts';
import { overallText } from '../overview/overview.ts';
import type { Board } from '../scenario/board.ts';
import { isBad, type ScenarioView, type Shown, sumOf, worst } from '../view.ts';
import type { Live } from './live.ts';

/** Many changes at once are looked at together. */
const AT_MOST_EVERY_MS = 500;

export interface ChangesOptions {
  readonly recorder: RunRecorder;
  readonly board: Board;
  readonly live: Live;
  /** Epoch, in ms. */
  readonly now: () => number;
  /** Called with the scenarios whose state changed: their figures are out of date. */
  readonly onFlips: (flipped: readonly KnownScenario[]) => void;
}

/** Compares the board with what open pages know, and publishes what changed. */
export class Changes {
  readonly #options: ChangesOptions;
  readonly #known = new Map<number, { readonly version: number; readonly shown: Shown }>();
  readonly #seen = new Map<string, number>();
  readonly #figures = new Map<number, string>();
  readonly #incidents = new Map<number, string>();
  #waiting: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: ChangesOptions) {
    this.#options = options;
    const { board, recorder } = options;
    for (const known of board.changedSince(this.#seen)) this.#note(board.view(known));
    for (const incident of recorder.incidents.open) this.#incidents.set(incident.id, signature(incident));
  }

  /** Something was recorded: looks soon. */
  look(): void {
    if (this.#isStopped) return;
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.publish();
    }, AT_MOST_EVERY_MS);
  }

  /** Runs that are recorded from now on are not looked at: the history may be closed by then. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#waiting);
  }

  publish(): void {
    const { board, live } = this.#options;
    const flipped: ScenarioView[] = [];
    for (const known of board.changedSince(this.#seen)) {
      const before = this.#known.get(known.id);
      if (before?.version === board.version(known)) continue;
      const view = board.view(known);
      this.#note(view);
      if (before?.shown !== view.shown) flipped.push(view);
      if (live.isWatched(known.id)) this.#publishRun(view);
    }
    if (flipped.length > 0) this.#publishFlips(flipped);
    this.#publishIncidents();
  }

  /** The figures of a scenario were read again. */
  figures(view: ScenarioView): void {
    const { id } = view.known;
    const { uptime, p95 } = lineFigures(view);
    const text = `${uptime} ${p95}`;
    if (this.#figures.get(id) === text) return;
    this.#figures.set(id, text);
    this.#options.live.publish({ name: 'figures', key: `figures ${id}`, data: { i: id, u: uptime, p: p95 } });
  }

  #note({ known, shown }: ScenarioView): void {
    this.#known.set(known.id, { version: this.#options.board.version(known), shown });
  }

  #publishRun({ known }: ScenarioView): void {
    const { recorder, live } = this.#options;
    const [run] = lastRuns(recorder.db, known.id, 1);
    if (run) live.ran(known.id, { t: run.started, v: run.verdict, r: run.retry, s: run.status, m: Math.round(run.ms) });
  }

  #publishFlips(flipped: readonly ScenarioView[]): void {
    const { board, live, now, onFlips } = this.#options;
    onFlips(flipped.map(({ known }) => known));
    const environments = new Map(board.environments(now()).map((environment) => [environment.name, environment]));
    const all = [...environments.values()];
    const headline = {
      h: overallText(sumOf(all.map(({ tally }) => tally))),
      w: worst(all.map(({ shown }) => shown)),
    };
    for (const view of flipped) {
      const { known, shown, path } = view;
      const environment = environments.get(known.environment);
      const area = environment?.areas.find(({ id }) => id === known.area);
      const data = {
        i: known.id,
        s: shown,
        b: isBad(view),
        n: known.title,
        l: path,
        e: known.environment,
        a: known.area,
        as: area?.shown,
        ac: area?.counts,
        es: environment?.shown,
        ec: environment?.counts,
        ...headline,
      };
      live.publish({ name: 'flip', key: `flip ${known.id}`, data });
    }
  }

  #publishIncidents(): void {
    const { recorder } = this.#options;
    const open = recorder.incidents.open;
    const ended = new Set(this.#incidents.keys());
    for (const incident of open) {
      ended.delete(incident.id);
      const text = signature(incident);
      if (this.#incidents.get(incident.id) === text) continue;
      this.#incidents.set(incident.id, text);
      for (const seen of ['all', 'public'] as const)
        this.#publishIncident(incident.id, seen, incidentEvent(incident, open.length, seen === 'public'));
    }
    for (const id of ended) {
      this.#incidents.delete(id);
      for (const seen of ['all', 'public'] as const) this.#publishIncident(id, seen, { id, open: open.length });
    }
  }

  #publishIncident(id: number, seen: 'all' | 'public', data: object): void {
    this.#options.live.publish({ name: 'incident', key: `incident ${id} ${seen}`, data, seen });
  }
}

function signature({ since, hits, open }: Incident): string {
  return `${since} ${hits.length} ${open.length}`;
}
