import type { Grade, Redacted, Verdict } from '../../client/index.ts';
import { counted } from '../../config/index.ts';
import { areaTitle } from '../../spec/index.ts';
import { familyOf } from '../status/cause.ts';
import { durationText, utcText } from '../status/texts.ts';
import type { Notice } from './notice.ts';

/** The notice as lines of plain text, for e-mail and chat. */
export function noticeLines(notice: Notice): string[] {
  const { kind, headline, environments, scenarios, furtherScenarios, since, until, durationMs, link, runbook } = notice;
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
      if (!isOpen && kind !== 'up') return ['', `${name} ${ending ?? 'has recovered'}`];
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

/**
 * The lines of a notice below its headline, in at most `most` units of `lengthOf` (characters by default). What doesn't fit is
 * left out in whole lines, and never the link at the end.
 */
export function fittedText(notice: Redacted<Notice>, most: number, lengthOf = (text: string) => text.length): string {
  const [, ...lines] = noticeLines(notice);
  const link = lines.pop() ?? '';
  const whole = [...lines, link].join('\n');
  if (lengthOf(whole) <= most) return whole;
  const end = `…\n${link}`;
  let text = '';
  for (const line of lines) {
    if (lengthOf(`${text}${line}\n${end}`) > most) break;
    text += `${line}\n`;
  }
  return text + end;
}

/** Short enough for any receiver's limits. */
const LONGEST = 200;
const MOST_SCENARIOS = 3;

/**
 * The same notice, as short and plain as it can be, for a receiver that refuses it as it is: too large, or with something in
 * it that it can't read. Reasons and calls, which hold the service's own words, are left to the page.
 */
export function plainNotice(notice: Notice): Notice {
  const further = (notice.furtherScenarios ?? 0) + Math.max(0, notice.scenarios.length - MOST_SCENARIOS);
  return {
    ...notice,
    headline: plain(notice.headline),
    ...(further > 0 ? { furtherScenarios: further } : {}),
    scenarios: notice.scenarios
      .slice(0, MOST_SCENARIOS)
      .map(({ grade: _, reason: __, curl: ___, ...rest }) => ({ ...rest, title: plain(rest.title) })),
  };
}

/** In printable ASCII; accents go, what has no counterpart is a question mark. */
function plain(text: string): string {
  const ascii = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[“”«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[–—→]/g, '-')
    .replace(/[^\x20-\x7e]/gu, '?');
  return ascii.length > LONGEST ? `${ascii.slice(0, LONGEST - 3)}...` : ascii;
}
