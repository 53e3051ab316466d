import { defineConfig } from 'allure';
import { environmentNames } from './src/environment/index.ts';
import { categories, readRunFacts } from './src/playwright/index.ts';
import { outputFiles } from './src/scenario/index.ts';

const { report, history, allureResults } = outputFiles();
const { common, environments: factsByEnvironment } = readRunFacts();

/** The environments of the report, by the label `environment` of a result. Each is a Playwright project, so it has its own history. */
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
  // The quality gate runs after the report, which has already added this run to the history.
  appendHistory: !process.argv.includes('quality-gate'),
  historyLimit: 20,
  environments,
  // Hides labels that don't help a reader, or that the report shows elsewhere.
  hideLabels: ['host', 'thread', 'package', 'language', 'framework', 'parentSuite', 'titlePath', /^_/],
  variables: common,
  // Groups failures by environment only if there are several.
  categories: {
    rules: categories.map((rule) => ({ ...rule, groupEnvironments: Object.keys(factsByEnvironment).length > 1 })),
  },
  qualityGate: { rules: [{ maxFailures: 0 }, { minTestsCount: 1 }] },
  plugins: {
    awesome: {
      // A single file opens with a double click and can be sent to others. A folder would need a web server.
      options: { reportName: 'Sextant', singleFile: true, groupBy: ['epic', 'feature'], reportLanguage: 'en' },
    },
  },
});
