import { type CallSite, callSite, ExpectationError, judge, type LearnedFact, SuiteFault } from '../client/index.ts';
import { Skipped, type WorldWithData } from '../scenario/index.ts';
import {
  type AreaId,
  type CallableId,
  type Effect,
  type Operation,
  type OperationId,
  operation,
  operations,
  readProfile,
} from '../spec/index.ts';
import { type ExperimentRunner, experimentRunner } from './asking/experiment-runner.ts';
import { questionOf } from './asking/question.ts';
import { budgetOf, SurveyEnded } from './asking/request-budget.ts';
import { experiments } from './experiments/index.ts';
import { type Finding, Undecided } from './facts/fact.ts';

/**
 * Checks whether the facts of an area still hold, with requests of one effect. Each one that doesn't is a drift, which
 * doesn't end the scenario.
 * @throws Skipped without a survey, or if none of its facts can be checked here.
 */
export function holdFacts(world: WorldWithData, area: AreaId, effect: Effect): Promise<void> {
  const site = callSite(holdFacts);
  return world.observer.step('the facts of the survey still hold', site, () => holdAll(world, area, effect, site));
}

async function holdAll(world: WorldWithData, area: AreaId, effect: Effect, site: CallSite): Promise<void> {
  const { facts, name, requestBudget } = world.environment;
  if (!facts) throw new Skipped(`needs a survey: npx sextant survey --env ${name}`);
  const session = await world.session();
  const budget = budgetOf({ maxRequests: requestBudget });
  const runner = experimentRunner({ world, session, budget, isSparing: true });
  const known = [...facts.values()].filter((fact) => {
    const entry = operationOf(fact, runner);
    // Entries are made to read them in a list, though reading it only reads.
    const isOfEntries = fact.question === 'paging' || fact.question === 'block-visible';
    return entry?.area === area && effect === (isOfEntries ? 'reversible' : entry.effect);
  });
  const [held, untried]: [string[], string[]] = [[], []];
  try {
    for (const fact of known) {
      const label = `${fact.operation} ${fact.question}: ${fact.answer}`;
      try {
        const finding = await look(runner, fact, site);
        if (!finding) continue;
        held.push(label);
        const shown = finding.seen.at(-1);
        if (finding.answer !== fact.answer && shown) session.context.drift?.broke(fact, finding.answer, shown, site);
      } catch (error) {
        untried.push(`${label} (${whyNot(error, runner, site)})`);
        if (error instanceof SurveyEnded) break;
      }
      await runner.tidy();
    }
  } finally {
    untried.push(...(await runner.end()).map((left) => `could not be undone: ${left}`));
  }
  const part = (title: string, lines: readonly string[]) => [`${title}: ${lines.length}`, ...lines].join('\n  ');
  await world.observer.attach?.('facts', `${part('looked at', held)}\n${part('not tried', untried)}`);
  if (held.length === 0) throw new Skipped(untried[0] ?? `the survey of ${name} has no facts about it`);
}

/** The row that a fact is about; `undefined` where row 12's own request isn't known any more. */
function operationOf({ operation: id }: LearnedFact, { environment }: ExperimentRunner): Operation | undefined {
  if (id === readProfile.id) return environment.readProfile;
  return id in operations ? operation(id as OperationId) : undefined;
}

/**
 * Checks one fact, as a step; `undefined` if that isn't possible. Where a valid request would have a permanent effect, only refusals
 * are checked.
 */
async function look(runner: ExperimentRunner, fact: LearnedFact, site: CallSite): Promise<Finding | undefined> {
  const { question, answer } = fact;
  const id = fact.operation as CallableId;
  const entry = { ...runner.entry(id), id };
  const experiment = experiments.find(({ questions }) => questions(entry).includes(question));
  const leavesNothing = /^(refused|tied)/.test(answer) && question !== 'repeat';
  if (!experiment?.check || (runner.isSpared(id) && !leavesNothing)) return undefined;
  const { check, run } = experiment;
  const title = `${entry.title.toLowerCase()}: ${question} is ${answer}`;
  const asked = questionOf(runner, entry, question);
  return runner.world.observer.step(title, site, () => (check === 'once more' ? run(asked) : check(asked, answer)));
}

/**
 * The reason why a fact could not be checked.
 * @throws ExpectationError when the service fell short, and any unrelated error.
 */
function whyNot(error: unknown, { environment }: ExperimentRunner, site: CallSite): string {
  if (error instanceof Undecided) {
    for (const exchange of error.seen) {
      const shortfall = judge(exchange, 'settled', environment.successWhen);
      if (shortfall) throw new ExpectationError(exchange, shortfall).at(site);
    }
    return error.message;
  }
  if (error instanceof Skipped || error instanceof SuiteFault || error instanceof SurveyEnded) return error.message;
  throw error;
}
