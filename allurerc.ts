import { defineConfig } from 'allure';
import { environmentNames } from './src/environment/index.ts';
import { categories, latencyKey, latencyNames, readRunFacts } from './src/playwright/index.ts';
import { outputFiles } from './src/scenario/index.ts';
import { operation, operationIds, readProfile } from './src/service/index.ts';

const { report, history, allureResults } = outputFiles();
const { common, environments: factsByEnvironment } = readRunFacts();
const names = environmentNames();
const calls = [...operationIds.map(operation), readProfile];

/** An environment is a Playwright project, which separates histories; a label identifies it in the report. */
const environments = Object.fromEntries(
  names.map((name) => [
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
  performance: {
    groups: Object.fromEntries(names.map((name) => [name, { title: `Latency in ${name}` }])),
    metrics: Object.fromEntries(
      names.flatMap((name) =>
        calls.flatMap(({ id, title }) =>
          latencyNames.map((latency) => [
            latencyKey(name, id, latency),
            { title: `${title}, ${latency}`, unit: 'ms', better: 'lower' as const, group: name },
          ]),
        ),
      ),
    ),
  },
  qualityGate: { rules: [{ maxFailures: 0 }, { minTestsCount: 1 }] },
  plugins: {
    awesome: {
      // One file opens with a double click and can be sent around; a folder would have to be served.
      options: { reportName: 'Sextant', singleFile: true, groupBy: ['epic', 'feature'], reportLanguage: 'en' },
    },
  },
});
