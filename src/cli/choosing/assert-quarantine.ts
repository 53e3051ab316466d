import { ConfigurationError, didYouMean, environmentNames } from '../../config/index.ts';
import { allScenarios } from '../../runner/index.ts';
import { loadQuarantine } from '../../scenario/index.ts';

/**
 * A typo in the quarantine list would leave a scenario red, and its entry there for ever.
 * @throws ConfigurationError with every title and environment that there is not; FileTrouble
 */
export async function assertQuarantine(): Promise<void> {
  const entries = loadQuarantine();
  if (entries.length === 0) return;
  const titles = (await allScenarios()).map(({ title }) => title);
  const environments = environmentNames();
  const problems = entries.flatMap(({ title, environment }) => [
    ...(titles.includes(title) ? [] : [`there is no scenario ${JSON.stringify(title)}${didYouMean(title, titles)}`]),
    ...(environment === undefined || environments.includes(environment)
      ? []
      : [`there is no environment ${JSON.stringify(environment)}${didYouMean(environment, environments)}`]),
  ]);
  if (problems.length > 0) throw new ConfigurationError(`The quarantine list can't be used: ${problems.join('; ')}.`);
}
