import fc from 'fast-check';
import { listed } from '../../cli/commands/index.ts';
import { examples } from '../../cli/examples.ts';
import { anyText } from './texts.ts';

/** Those of the examples, and some that are in none. */
const options = [
  ...new Set(
    Object.values(examples).flatMap(([a, b]) => [...`${a} ${b}`.matchAll(/ (--[\w-]+)/g)].map(([, name = '']) => name)),
  ),
  ...['--env=my', '--yes', '--help', '--version', '--', '-x', '--forget'],
];
const harmless = ['list', 'export', 'import', 'csv', 'runs', 'my', 'nobody', '-5', 'NaN'];
const argument = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...options) },
  { weight: 1, arbitrary: fc.constantFrom(...harmless) },
  { weight: 2, arbitrary: anyText.filter((text) => !/[\0\n*?]/.test(text)) },
);

/** What keeps a command from running for minutes, or from starting a child. */
const ends: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['test', 'monitor', 'prober', 'survey', 'check'].map((word) => [word, ['--env', 'nobody']])),
  drill: ['--fault', 'nobody'],
  serve: ['--port', 'x'],
};

/** Without those that write beside what a test made for them, or ask an address. */
const words = [...Object.keys(listed), 'help'].filter((word) => !/^(new|init|report|maintenance)$/.test(word));

/** Command lines of the program's words and others. */
export const commandLine = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...words),
      anyText.filter((text) => !/[\0\n]/.test(text)),
    ),
    fc.array(argument, { maxLength: 6 }),
  )
  .filter(([word, rest]) => !Object.hasOwn(ends, word) || !rest.includes('--env=my'))
  .map(([word, rest]) => [word, ...(Object.hasOwn(ends, word) ? (ends[word] ?? []) : []), ...rest]);
