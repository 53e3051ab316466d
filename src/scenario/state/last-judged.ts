import { join } from 'node:path';
import { fieldsIn, redact } from '../../client/index.ts';
import { fileRoles, readTextIfAny, replaceText, unlessFileTrouble } from '../../config/files/index.ts';
import { counted } from '../../config/index.ts';
import { stateFolder } from '../../engine/safety/index.ts';

/** The outcome of a scenario, as far as it says something about the service. */
export interface Judgement {
  readonly title: string;
  /** The service was found right or wrong. Otherwise: whether that was tried. */
  readonly isJudged: boolean;
  /** Of what proves nothing on a service, an outage makes a failure, and nothing is missing afterwards: it leaves the record as it was. */
  readonly isFailure?: boolean;
  readonly reason?: string | undefined;
}

/** By title: when a scenario was last judged, epoch in ms, and whether that was its last run. */
type Record = Readonly<{ [title: string]: { readonly at: number; readonly wasLast: boolean } }>;

const MOST_LINES = 10;

/** The scenarios, in lines, that were judged the last time and are not now: they must not pass for what was never tried. */
export function noLongerJudged(environment: string, run: readonly Judgement[], now: number): string[] {
  const file = join(stateFolder(), 'judged', `${environment}.json`);
  const before = fieldsIn(unlessFileTrouble(() => readTextIfAny(file, fileRoles.state))) as Record;
  const lost = run.filter(({ title, isJudged }) => !isJudged && before[title]?.wasLast);
  const noted = run.filter(({ isFailure }) => !isFailure);
  const after = noted.map(({ title, isJudged }) => {
    const at = isJudged ? now : before[title]?.at;
    return [title, at === undefined ? undefined : { at, wasLast: isJudged }] as const;
  });
  const text = redact(JSON.stringify({ ...before, ...Object.fromEntries(after) }));
  // Without it, only the next run's comparison is poorer.
  unlessFileTrouble(() => replaceText(file, text, fileRoles.state));
  if (lost.length === 0) return [];
  const line = ({ title, reason }: Judgement) => {
    const at = new Date(before[title]?.at ?? now).toISOString().slice(0, 16).replace('T', ' ');
    return `  ${title} (judged ${at} UTC): ${reason ?? 'no reason given'}`;
  };
  const more = lost.length > MOST_LINES ? [`  and ${lost.length - MOST_LINES} more`] : [];
  const heading = `${environment}: ${counted(lost.length, 'scenario')} ${lost.length === 1 ? 'was' : 'were'} judged the last time, and not now:`;
  return [heading, ...lost.slice(0, MOST_LINES).map(line), ...more];
}
