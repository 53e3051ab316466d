import { styleText } from 'node:util';

const formats = ['bold', 'dim', 'green', 'yellow', 'red', 'magenta', 'cyan'] as const;

export type Colours = Readonly<Record<(typeof formats)[number], (text: string) => string>>;

const { NO_COLOR, FORCE_COLOR, CI, TERM } = process.env;

/** Whether the output has colours: on a terminal, and in CI, whose logs show them; never with NO_COLOR. */
export const hasColours = !NO_COLOR && Boolean(FORCE_COLOR || CI || (process.stdout.isTTY && TERM !== 'dumb'));

export function colours(isOn = hasColours): Colours {
  const paint = (format: (typeof formats)[number]) => (text: string) =>
    isOn ? styleText(format, text, { validateStream: false }) : text;
  return Object.fromEntries(formats.map((format) => [format, paint(format)])) as Colours;
}
