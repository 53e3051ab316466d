import type { Grade, Verdict } from '../../client/index.ts';
import { counted } from '../../config/index.ts';
import { areaTitle } from '../../spec/index.ts';
import { durationText } from '../duration-text.ts';
import type { Notice } from './notice.ts';

/** The notice as lines of plain text, for e-mail and chat. */
export function noticeLines(notice: Notice): string[] {
  const { kind, headline, environments, scenarios, furtherScenarios, since, until, durationMs, link, runbook } = notice;
  const time = until
    ? `Down from ${utc(since)} to ${utc(until)} (${durationText(durationMs)})`
    : `Down since ${utc(since)}`;
  return [
    headline,
    ...(kind === 'test' || kind === 'expiring' ? [] : [time]),
    ...(environments ? [`${environments.length} environments: ${environments.join(', ')}`] : []),
    ...scenarios.flatMap(({ environment, title, area, verdict, grade, reason, curl, isOpen, ending }) => {
      const name = `${environment ? `${environment}: ` : ''}${title} (${areaTitle(area)})`;
      if (!isOpen && kind !== 'up') return ['', `${name} ${ending ?? 'is back'}`];
      const evidence = [reason, curl].flatMap((line) => (line ? [`  ${line}`] : []));
      return ['', `${name}: ${verdictText(verdict, grade, reason)}`, ...evidence];
    }),
    ...(furtherScenarios ? ['', `and ${counted(furtherScenarios, 'more scenario')}`] : []),
    '',
    ...(runbook && runbook !== link ? [`Runbook: ${runbook}`] : []),
    link,
  ];
}

/** `failed, documented`; the grade is left out where the reason begins with it. */
export function verdictText(verdict: Verdict, grade: Grade | undefined, reason: string | undefined): string {
  return grade && !reason?.startsWith(`${grade}:`) ? `${verdict}, ${grade}` : verdict;
}

/** `2026-11-20 10:00:00 UTC`, from ISO 8601. */
function utc(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}
