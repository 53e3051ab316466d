import { styleText } from 'node:util';
import { createPrompt, isEnterKey, isTabKey, type Status, useKeypress, usePrefix, useState } from '@inquirer/core';
import { printable } from '../../printable.ts';
import { wrapped } from '../wrapped.ts';
import { problemOf, type TextQuestion } from './asker.ts';

/** Stands for a secret that was entered, whatever its length. */
const ENTERED = '********';

/** A line of text that is checked while it is typed. */
export const textPrompt = createPrompt<string, TextQuestion>((question, done) => {
  const [status, setStatus] = useState<Status>('idle');
  const [earlier, setEarlier] = useState<readonly string[]>([]);
  const [line, setLine] = useState('');
  const [isRefused, setRefused] = useState(false);
  const prefix = usePrefix({ status });
  const { suggestion = '', goesOn, masked } = question;

  useKeypress((key, readline) => {
    if (status !== 'idle') return;
    if (isTabKey(key)) {
      readline.clearLine(0);
      readline.write(line || suggestion);
      setLine(line || suggestion);
      return;
    }
    if (!isEnterKey(key)) {
      setLine(readline.line);
      setRefused(false);
      return;
    }
    const text = [...earlier, line].join('\n');
    if (goesOn?.(text)) {
      setEarlier([...earlier, line]);
      setLine('');
      return;
    }
    const answer = text.trim() || suggestion;
    if (problemOf(question, answer) === undefined) {
      setLine(answer);
      setStatus('done');
      done(answer);
    } else {
      setRefused(true);
      // Enter has emptied the line.
      readline.write(line);
    }
  });

  const message = styleText('bold', question.message);
  if (status === 'done') {
    const [first = ''] = line.split('\n');
    const shown = masked && line !== '' ? ENTERED : first;
    return `${prefix} ${message} ${styleText('cyan', printable(shown))}`;
  }
  const offered = suggestion && line === '' ? `${styleText('dim', `(${printable(suggestion)})`)} ` : '';
  return [
    `${prefix} ${message} ${offered}${shownLine(question, line, earlier)}`,
    below(question, line, earlier, isRefused),
  ];
});

/** Of a masked text, later lines are hidden as a whole. */
function shownLine({ masked }: TextQuestion, line: string, earlier: readonly string[]): string {
  if (!masked) return line;
  return earlier.length > 0 ? '*'.repeat(line.length) : masked(line);
}

/** The format, or what is wrong with the text so far. */
function below(question: TextQuestion, line: string, earlier: readonly string[], isRefused: boolean): string {
  if (earlier.length > 0) return styleText('dim', `  ${earlier.length + 1} lines; Enter after the last one`);
  const text = line.trim();
  if (text === '' && !isRefused) return styleText('dim', wrapped(`  ${question.format}`));
  const problem = problemOf(question, text);
  if (problem === undefined) return styleText('green', '  ok');
  // Half of an address is no address yet: that is a mistake only after Enter.
  return styleText(isRefused ? 'red' : 'yellow', wrapped(`  ${printable(problem)}`));
}
