import { gradeTable, verdicts } from '../../../client/index.ts';
import type { Evidence, IncidentStory } from '../../history/incident-story.ts';
import type { KnownScenario } from '../../history/scenarios.ts';
import type { FailedScenario, GuessCause } from '../../status/cause.ts';
import { extentOf } from '../../status/extent.ts';

/** What probably broke, judged by the evidence of an incident. */
export function likelyCause(
  { incident, evidence }: IncidentStory,
  monitored: readonly KnownScenario[],
  guess: GuessCause,
): string | undefined {
  const failed = evidence.filter(({ hit }) => verdicts[hit.verdict].fellShort === 'behaviour').map(failedScenario);
  if (failed.length === 0) return undefined;
  const { environments } = extentOf(incident.hits);
  const ran = monitored.filter(({ environment, standing }) => environments.includes(environment) && standing.judged);
  return guess(failed, [...new Set(ran.map(({ title }) => title))]);
}

function failedScenario({ hit, failure }: Evidence): FailedScenario {
  const { answer, failure: broken } = failure?.exchange ?? {};
  const title = hit.scenario.title;
  if (failure?.grade && !gradeTable[failure.grade].isDrilled) return { title };
  const operation = failure?.exchange ? { operation: failure.exchange.operation } : {};
  if (answer) return { title, ...operation, ending: { status: answer.status, text: answer.body.text } };
  return { title, ...operation, ...(broken ? { ending: { phase: broken.phase } } : {}) };
}
