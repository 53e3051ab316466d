import fc from 'fast-check';
import { anyText } from './texts.ts';

const words = [
  'check',
  'test',
  'monitor',
  'survey',
  'undo',
  'openapi',
  'environments',
  'compare',
  'export',
  'history',
  'alerts',
  'serve',
  'drill',
  'help',
];
const options = [
  '--env=my',
  '--json',
  '--scenario',
  '--every',
  '--port',
  '--data',
  '--settings',
  '--rate',
  '--max-requests',
  '--format',
  '--what',
  '--fault',
  '--grep',
  '--area',
  '--name',
  '--yes',
  '--help',
  '--version',
  '--',
  '-x',
  '--forget',
  '--force',
];
const harmless = ['list', 'export', 'import', 'csv', 'runs', 'my', 'nobody', '-5', 'NaN'];
const argument = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...options) },
  { weight: 1, arbitrary: fc.constantFrom(...harmless) },
  { weight: 2, arbitrary: anyText.filter((text) => !/[\0\n*?]/.test(text)) },
);
/** Command lines of the program's words and others, without those that would run for minutes. */
export const commandLine = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...words),
      anyText.filter((text) => !/[\0\n]/.test(text)),
    ),
    fc.array(argument, { maxLength: 6 }),
  )
  // Each of these would run for minutes or start children.
  .filter(
    ([word, rest]) =>
      !['test', 'monitor', 'survey', 'serve', 'drill', 'check'].includes(word) || !rest.includes('--env=my'),
  )
  .map(([word, rest]) =>
    ['test', 'monitor', 'survey', 'check'].includes(word)
      ? [word, '--env', 'nobody', ...rest]
      : word === 'drill'
        ? [word, '--fault', 'nobody', ...rest]
        : word === 'serve'
          ? [word, '--port', 'x', ...rest]
          : [word, ...rest],
  );
