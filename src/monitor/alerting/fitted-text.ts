import type { Redacted } from '../../client/index.ts';
import type { Notice } from './notice.ts';
import { noticeLines } from './notice-lines.ts';

const CUT = '…';

/**
 * The lines of a notice below its headline, in at most `most` units of `lengthOf` (characters by default). What doesn't fit is
 * left out in whole lines, and never the link at the end.
 */
export function fittedText(
  notice: Redacted<Notice>,
  most: number,
  lengthOf: (text: string) => number = (text) => text.length,
): string {
  const [, ...lines] = noticeLines(notice);
  const link = lines.pop() ?? '';
  const whole = [...lines, link].join('\n');
  if (lengthOf(whole) <= most) return whole;
  const end = `${CUT}\n${link}`;
  let text = '';
  for (const line of lines) {
    if (lengthOf(`${text}${line}\n${end}`) > most) break;
    text += `${line}\n`;
  }
  return text + end;
}

/** `text`, cut at `most` characters. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - CUT.length)}${CUT}`;
}
