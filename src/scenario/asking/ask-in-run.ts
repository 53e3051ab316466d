import { entryIn, type OperationEntry, type Question, questionNamed, Undecided } from '../../questions/index.ts';
import { canRestore } from '../../safety/index.ts';
import { type CallableId, type Effect, gravest } from '../../service/index.ts';
import { callSite, ExpectationError, outcomeOf, SuiteError } from '../../verdict/index.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import type { Tried } from '../facts/asked-facts.ts';
import { askerOf } from './asker.ts';
import { ExperimentRunner } from './experiment-runner.ts';
import { NoResponse, RequestBudget, SurveyEnded } from './request-budget.ts';

/**
 * Asks one question in a run, with `maxRequests` requests at most. Like a scenario, it first brings the users to a known start, and finally
 * undoes its changes. `undefined` if the run may not ask this question.
 */
export async function askInRun(
  world: WorldBasis,
  name: string,
  id: CallableId,
  maxRequests: number,
  declared: Effect | undefined,
): Promise<Tried | undefined> {
  const entry = entryIn(world.environment, id);
  const question = entry && questionNamed(name, entry);
  const effect = entry && gravest([entry.effect, question?.effect ?? 'read']);
  // Scenarios that only read use the same users at the same time, so a scenario that only reads may ask only questions that change nothing.
  const isAlone = declared !== 'read' || effect === 'read';
  if (!question || !isAlone || !mayAsk(world, question, entry)) return undefined;
  await world.begin({ area: entry.area, effect: effect ?? 'read' });
  const budget = new RequestBudget({ maxRequests });
  const runner = new ExperimentRunner({ world, session: await world.ownSession(), budget });
  const title = `asked in this run, because no fact has the answer: ${name} of ${entry.title.toLowerCase()}`;
  return world.observer.step(title, callSite(askInRun), async () => {
    const ask = async () => {
      try {
        return { answer: (await question.ask(askerOf(runner, entry, name))).answer };
      } catch (error) {
        // An experiment without an answer doesn't fail the scenario. If the service has a real problem, the scenario's own requests show
        // it, too.
        const isNoAnswer = error instanceof Undecided || error instanceof SurveyEnded || error instanceof SuiteError;
        if (!isNoAnswer) throw error;
        const isPrevented = !(error instanceof Undecided) || error instanceof NoResponse;
        return { why: error.message, error: serverErrorIn(error), ...(isPrevented ? { isPrevented } : {}) };
      }
    };
    const found = await ask();
    await runner.tidy();
    return { ...found, requests: budget.spent };
  });
}

/** A server error that the experiment met is the service's failure, as in any scenario. */
function serverErrorIn(error: Error): ExpectationError | undefined {
  for (const exchange of error instanceof Undecided ? error.seen : []) {
    const shortfall = outcomeOf(exchange, undefined).shortfall('settled');
    if (shortfall?.verdict === 'failed') return new ExpectationError(exchange, shortfall);
  }
  return undefined;
}

/** Whether a run may ask a question: its changes can be undone, and the environment allows their effects. */
function mayAsk({ environment }: WorldBasis, question: Question, { effect, restoredBy }: OperationEntry): boolean {
  if (!question.askedByRuns || effect === 'irreversible') return false;
  if (effect === 'overwriting') return restoredBy !== undefined && canRestore(environment);
  return [effect, question.effect ?? ('read' as const)].every((each) => environment.allowedEffects.has(each));
}
