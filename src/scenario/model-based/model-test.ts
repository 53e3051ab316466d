import type * as FastCheck from 'fast-check';
import { counted } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import { ExpectationError, leavesOut, type Observer, silent } from '../../verdict/index.ts';
import type { Actor } from '../data/users.ts';
import { callByName, type WorldBasis } from '../data/world-basis.ts';
import { callScript } from '../run-files/call-log.ts';

/** Random plans, which are lists of steps, and the expectations while one is carried out. */
export interface ModelTest<Step> {
  /** Gets the library as an argument, so that only a model test loads it. */
  plans(random: typeof FastCheck): FastCheck.Arbitrary<Step[]>;
  /** Approximate maximum number of requests per plan. */
  readonly requests: number;
  /** Carries out a plan from a clean start; declares its clean-up to the actors. @throws Skipped if the environment lacks something. */
  perform(plan: readonly Step[], actors: Actors): Promise<void>;
  inWords(step: Step): string;
}

export type Actors = ReturnType<typeof actorsIn>;

/** The users of one plan, in a separate world. Their calls are not steps in the report: hundreds would be noise. */
function actorsIn(world: WorldBasis) {
  const exchanges: Exchange[] = [];
  const exchanged = (exchange: Exchange) => {
    exchanges.push(exchange);
    world.observer.planned?.(exchange);
  };
  const observer: Observer = { ...silent, exchanged };
  return {
    world,
    exchanges,
    /** The operations as one of the users, without evidence from earlier calls. */
    as: async (actor: Actor) => {
      const session = await world.session(actor, observer);
      return { id: session.caller.userId, call: callByName(session) };
    },
    /** Cleans up before and after the plan if its users outlive it: those of a provisioner are disposable. */
    cleanly: async (clear: () => Promise<void>): Promise<void> => {
      if (world.environment.provisionUrl) return;
      await clear();
      world.defer(clear);
    },
  };
}

/** However large the budget: more plans find little more. */
const MOST_PLANS = 100;

/** With a smaller budget, shrinking would be over before it got anywhere. */
const LEAST_TO_SHRINK = 100;

interface Broken<Step> {
  readonly plan: readonly Step[];
  readonly error: unknown;
  readonly exchanges: readonly Exchange[];
}

/** Within REQUEST_BUDGET. A failing plan is shrunk, and reported as steps and as a script. @throws the error of the counterexample. */
export async function runModelTest<Step>(world: WorldBasis, modelTest: ModelTest<Step>): Promise<void> {
  const budget = world.environment.requestBudget;
  let sent = 0;
  let shortest: Broken<Step> | undefined;
  let leftOut: unknown;
  /** Whether a plan breaks; beyond the budget nothing is sent, and nothing breaks. Shrinking has as much again. */
  const breaks = async (plan: readonly Step[]): Promise<boolean> => {
    if (leftOut) return false;
    if (sent > 0 && sent + modelTest.requests > (shortest ? 2 : 1) * budget) return false;
    const actors = actorsIn(world.another());
    const error = await perform(modelTest, plan, actors);
    sent += actors.exchanges.length;
    // A plan that can't run here doesn't fail, and neither can any other.
    if (leavesOut(error)) leftOut = error;
    else if (error !== undefined) shortest = { plan, error, exchanges: actors.exchanges };
    return error !== undefined && !leavesOut(error);
  };
  const random = await import('fast-check');
  const details = await random.check(
    random.asyncProperty(modelTest.plans(random), async (plan) => !(await breaks(plan))),
    {
      numRuns: Math.max(1, Math.min(MOST_PLANS, Math.floor(budget / modelTest.requests))),
      endOnFailure: budget < LEAST_TO_SHRINK,
      seed: world.seed | 0,
    },
  );
  if (leftOut && !shortest) throw leftOut;
  if (!shortest) return;
  /** The library shortens lists from their front. Then the rest is tried without each of its steps. */
  const withoutIdleSteps = async (found: Broken<Step>): Promise<Broken<Step>> => {
    for (const index of found.plan.keys())
      if (await breaks(found.plan.toSpliced(index, 1))) return withoutIdleSteps(shortest ?? found);
    return found;
  };
  const { plan, error, exchanges } = budget < LEAST_TO_SHRINK ? shortest : await withoutIdleSteps(shortest);
  const steps = plan.map((step, index) => `  ${index + 1}. ${modelTest.inWords(step)}`);
  const text = [`Shortest counterexample (shrunk ${counted(details.numShrinks, 'time')}):`, ...steps].join('\n');
  await world.observer.attach?.('counterexample as a script', callScript(exchanges));
  if (error instanceof ExpectationError) error.calls = exchanges;
  throw withCounterexample(error, text);
}

async function perform<Step>(modelTest: ModelTest<Step>, plan: readonly Step[], actors: Actors): Promise<unknown> {
  let error: unknown;
  try {
    await modelTest.perform(plan, actors);
  } catch (thrown) {
    error = thrown;
  }
  const [leftover] = await actors.world.close({ verify: error === undefined ? 'everything' : 'nothing' });
  return error ?? leftover?.error;
}

function withCounterexample(error: unknown, text: string): unknown {
  if (!(error instanceof Error)) return error;
  const message = `${error.message}\n\n${text}`;
  if (error.stack) error.stack = error.stack.replace(error.message, () => message);
  error.message = message;
  return error;
}
