import { defineConfig } from 'allure';
import { environmentNames } from './src/environment/index.ts';
import { categories, readRunFacts } from './src/playwright/index.ts';
import { outputFiles } from './src/scenario/index.ts';

const { report, history, allureResults } = outputFiles();
const { common, environments: factsByEnvironment } = readRunFacts();

/** An environment is a Playwright project, which separates histories; a label identifies it in the report. */
const environments = Object.fromEntries(
  environmentNames().map((name) => [
    name,
    {
      name,
      variables: factsByEnvironment[name] ?? {},
      matcher: ({ labels }: { labels: { name: string; value?: string }[] }) =>
        labels.some((label) => label.name === 'environment' && label.value === name),
    },
  ]),
);

export default defineConfig({
  name: 'Sextant',
  output: report,
  resultsDir: allureResults,
  historyPath: history,
  // The gate reads the history that the report has just been added to; it must not add the run again.
  appendHistory: !process.argv.includes('quality-gate'),
  historyLimit: 20,
  environments,
  // Of no use to a reader, or shown in another place.
  hideLabels: ['host', 'thread', 'package', 'language', 'framework', 'parentSuite', 'titlePath', /^_/],
  variables: common,
  // With one environment, a level for it says nothing.
  categories: {
    rules: categories.map((rule) => ({ ...rule, groupEnvironments: Object.keys(factsByEnvironment).length > 1 })),
  },
  qualityGate: { rules: [{ maxFailures: 0 }, { minTestsCount: 1 }] },
  plugins: {
    awesome: {
      // One file opens with a double click and can be sent around; a folder would have to be served.
      options: { reportName: 'Sextant', singleFile: true, groupBy: ['epic', 'feature'], reportLanguage: 'en' },
    },
  },
});
