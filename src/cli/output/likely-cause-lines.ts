import type { RedScenario } from '../../drill/likely-cause.ts';
import { onReference } from '../../drill/on-reference.ts';
import { tellingSymptom } from '../../drill/symptom.ts';
import { EMBEDDED } from '../../environment/index.ts';
import type { Facts } from '../../facts/index.ts';
import type { Failure, TestOutcome } from '../../run/index.ts';
import { type Grade, gradeTable, verdicts } from '../../verdict/index.ts';

export interface Reds {
  readonly environment: string;
  readonly red: readonly RedScenario[];
  readonly ran: readonly string[];
}

/**
 * Lines about the failures of a run: the likely causes from the kill matrix, and, unless the service is
 * the reference service, whether the same scenarios fail there too. Empty without failures.
 */
export async function likelyCauseLines({ environment, red, ran }: Reds, signal?: AbortSignal): Promise<string[]> {
  if (red.length === 0) return [];
  // Loaded only here: it loads the reference service, which most runs don't need.
  const drill = await import('../../drill/index.ts');
  const cause = drill.likelyCauseLine(drill.likelyCauses(drill.committedMatrix(), red, ran));
  const lines = cause ? [cause] : [];
  const titles = red.map(({ title }) => title);
  if (environment !== EMBEDDED && !signal?.aborted) {
    const redThere = await drill.redOnReference(titles, signal);
    // Stopped, it has not tried them all.
    if (!signal?.aborted) lines.push(referenceLine(titles, redThere));
  }
  return lines;
}

/** The same for several environments, each line with its environment's name. */
export async function namedCauseLines(all: readonly Reds[], signal?: AbortSignal): Promise<string[]> {
  const lines: string[] = [];
  for (const reds of all)
    lines.push(...(await likelyCauseLines(reds, signal)).map((line) => `${reds.environment}: ${line}`));
  return lines;
}

/** The failures of a run by environment, in either runner; `factsOf` gives the facts of each. */
export function redsOf(
  outcomes: readonly TestOutcome[],
  factsOf: (environment: string) => Facts | undefined = () => undefined,
): Reds[] {
  const ran = outcomes.filter(({ verdict }) => verdicts[verdict].ran);
  return [...Map.groupBy(ran, ({ environment }) => environment)].map(([environment, all]) => ({
    environment,
    red: all
      // An unreachable address or refused credentials don't show a fault of the service.
      .filter(({ verdict }) => verdicts[verdict].fellShort === 'behaviour')
      .map(({ title, failures: [first] = [] }) => redScenario(title, first?.grade, first?.call, factsOf(environment))),
    ran: all.map(({ title }) => title),
  }));
}

/** Without a symptom, no fault agrees with it. */
function redScenario(
  title: string,
  grade: Grade | undefined,
  call: Failure['call'],
  facts: Facts | undefined,
): RedScenario {
  if (!call) return { title };
  const { operation, status, body: text = '', failure } = call;
  const ending = status === undefined ? failure && { phase: failure.phase } : { status, text };
  const isDrilled = grade === undefined || gradeTable[grade].isDrilled;
  const symptom = isDrilled && ending ? tellingSymptom(ending, operation) : undefined;
  return { title, operation, ...(symptom ? { symptom: onReference(symptom, operation, facts) } : {}) };
}

function referenceLine(red: readonly string[], redThere: readonly string[]): string {
  if (redThere.length === 0)
    return `On the reference service, ${red.length === 1 ? 'this scenario passes' : `these ${red.length} scenarios pass`}: the suite is not the cause.`;
  const titles = redThere.map((title) => `"${title}"`).join(', ');
  return `THE SUITE ITSELF MAY BE WRONG: ${titles} ${redThere.length === 1 ? 'fails' : 'fail'} on the reference service too.`;
}
