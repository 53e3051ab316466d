import { counted } from '../../environment/index.ts';
import type { Redacted } from '../../redaction/index.ts';
import { acceptingLine, familyOf } from '../../run/index.ts';
import { areaTitle } from '../../service/index.ts';
import type { Grade, Verdict } from '../../verdict/index.ts';
import { durationText, utcText } from '../status/texts.ts';
import type { Notice } from './notice.ts';
import { endingText } from './wording.ts';

const RECOVERED = endingText('recovered');

/** The notice as lines of plain text, for e-mail and chat. */
export function noticeLines(notice: Notice): string[] {
  const { kind, headline, environments, scenarios, furtherScenarios, since, until, durationMs, link, runbook } = notice;
  const { accept = [] } = notice;
  const isSingle = scenarios.length === 1 && !furtherScenarios;
  const [from, on] = familyOf(notice.cause) === 'down' ? ['Down from', 'Down since'] : ['From', 'Since'];
  const time = until
    ? `${from} ${utcText(since)} to ${utcText(until)} (${notice.isAtMost ? 'at most ' : ''}${durationText(durationMs)})`
    : `${on} ${utcText(since)}`;
  return [
    headline,
    ...(kind === 'test' || kind === 'expiring' ? [] : [time]),
    ...(environments ? [`${environments.length} environments: ${environments.join(', ')}`] : []),
    ...scenarios.flatMap(({ environment, title, area, verdict, grade, reason, curl, isOpen, ending }) => {
      const name = `${environment ? `${environment}: ` : ''}${title} (${areaTitle(area)})`;
      const ended = ending ?? RECOVERED;
      // The headline already says that the scenarios have recovered. If there is only one, the headline also names it.
      if (kind === 'up' && ended === RECOVERED) return isSingle ? [] : ['', name];
      if (!isOpen) return ['', `${name} ${ended}`];
      const evidence = [reason, curl].flatMap((line) => (line ? [`  ${line}`] : []));
      return ['', `${name}: ${verdictText(verdict, grade, reason)}`, ...evidence];
    }),
    ...(furtherScenarios ? ['', `and ${counted(furtherScenarios, 'more scenario')}`] : []),
    ...accept.flatMap((command) => ['', acceptingLine(command)]),
    '',
    ...(runbook && runbook !== link ? [`Runbook: ${runbook}`] : []),
    link,
  ];
}

/** Verdict and grade: `failed, documented`; without the grade if the reason begins with the grade. */
export function verdictText(verdict: Verdict, grade: Grade | undefined, reason: string | undefined): string {
  return grade && !reason?.startsWith(`${grade}:`) ? `${verdict}, ${grade}` : verdict;
}

/** Maximum size of a message, in bytes; every chat accepts this size. */
const MOST_BYTES = 3_500;

/** The lines of a notice below its headline. If they are too long, leaves out whole lines at the end, but never the link. */
export function fittedText(notice: Redacted<Notice>): string {
  const [, ...lines] = noticeLines(notice);
  const link = lines.pop() ?? '';
  let left = MOST_BYTES - Buffer.byteLength(link);
  const end = lines.findIndex((line) => {
    left -= Buffer.byteLength(line) + 1;
    return left < 0;
  });
  return [...(end < 0 ? lines : [...lines.slice(0, end), '…']), link].join('\n');
}
