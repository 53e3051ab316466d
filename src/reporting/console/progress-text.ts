import { type Verdict, verdicts } from '../../client/index.ts';
import { type AreaId, areaTitle } from '../../spec/index.ts';

export interface RunProgress {
  readonly total: number;
  readonly elapsedMs: number;
  /** The part of it before anything ran; absent if that is none. */
  readonly startMs?: number;
  readonly ended: readonly { readonly title: string; readonly verdict: Verdict }[];
  readonly underWay: readonly { readonly title: string; readonly area: AreaId | 'all' }[];
}

/** A guess from fewer scenarios would jump about. */
const FEWEST_FOR_GUESS = 3;

/** One line: what is red already, how many of how many, how long still, and what runs in which area. */
export function progressText({ total, elapsedMs, startMs = 0, ended, underWay }: RunProgress): string {
  const red = ended.filter(({ verdict }) => verdicts[verdict].exitCode === 1).map(({ title }) => title);
  const running = [...Map.groupBy(underWay, ({ area }) => area)].map(
    ([area, all]) => `${areaTitle(area)}: ${[...new Set(all.map(({ title }) => title))].join(', ')}`,
  );
  return [
    `${ended.length}/${total}`,
    `${seconds(elapsedMs)}${leftText(total, ended.length, elapsedMs - startMs)}`,
    ...(red.length > 0 ? [`${red.length} red: ${red.at(-1)}`] : []),
    ...running,
  ].join(' · ');
}

function leftText(total: number, done: number, runningMs: number): string {
  if (done < FEWEST_FOR_GUESS || done >= total) return '';
  return `, about ${seconds((runningMs / done) * (total - done))} left`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
