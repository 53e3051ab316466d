import type * as FastCheck from 'fast-check';
import { counted } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import { ExpectationError, leavesOut, type Observer, silent } from '../../verdict/index.ts';
import type { Actor } from '../data/users.ts';
import { callByName, type WorldBasis } from '../data/world-basis.ts';
import { callScript } from '../run-files/call-log.ts';

/** A test with random plans, which are lists of steps. `perform` carries out a plan, and checks expectations after its steps. */
export interface ModelTest<Step> {
  /** Takes fast-check as an argument, so that only runs with a model test load it. */
  plans(random: typeof FastCheck): FastCheck.Arbitrary<Step[]>;
  /** Approximate maximum number of requests per plan. */
  readonly requests: number;
  /** Carries out a plan from a clean start, and registers its clean-up with `actors.cleanly`. @throws Skipped if the environment lacks something. */
  perform(plan: readonly Step[], actors: Actors): Promise<void>;
  inWords(step: Step): string;
}

export type Actors = ReturnType<typeof actorsIn>;

/** The users of one plan, in a separate world. The report doesn't show their calls as steps, because there may be hundreds of calls. */
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
    /** A user's id, and the operations in a new session, which has no evidence for `not.toMention` from earlier calls. */
    as: async (actor: Actor) => {
      const session = await world.session(actor, observer);
      return { id: session.caller.userId, call: callByName(session) };
    },
    /** Cleans up before and after the plan, unless its users are disposable because a provisioner created them. */
    cleanly: async (clear: () => Promise<void>): Promise<void> => {
      if (world.environment.provisionUrl) return;
      await clear();
      world.defer(clear);
    },
  };
}

/** Maximum number of plans, even with a large budget: more plans find little more. */
const MOST_PLANS = 100;

/** Minimum budget for shrinking. A smaller one would be used up before shrinking achieves anything. */
const LEAST_TO_SHRINK = 100;

interface Broken<Step> {
  readonly plan: readonly Step[];
  readonly error: unknown;
  readonly exchanges: readonly Exchange[];
}

/**
 * Plays random plans within REQUEST_BUDGET. Shrinks a plan that fails, and reports it as steps and as a script. @throws the error of the
 * counterexample.
 */
export async function runModelTest<Step>(world: WorldBasis, modelTest: ModelTest<Step>): Promise<void> {
  const budget = world.environment.requestBudget;
  let sent = 0;
  let shortest: Broken<Step> | undefined;
  let leftOut: unknown;
  /**
   * Plays a plan, and returns whether the plan breaks an expectation. Sends nothing more once REQUEST_BUDGET is used up. After a failure,
   * the limit is twice that budget, so that the failing plan can be shrunk.
   */
  const breaks = async (plan: readonly Step[]): Promise<boolean> => {
    if (leftOut) return false;
    if (sent > 0 && sent + modelTest.requests > (shortest ? 2 : 1) * budget) return false;
    const actors = actorsIn(world.another());
    const error = await perform(modelTest, plan, actors);
    sent += actors.exchanges.length;
    // The environment lacks something that every plan needs, so no further plan is played, and none counts as failed.
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
  /**
   * Shortens the plan further: leaves out one step after the other, as long as the plan still fails. fast-check shortens lists only from
   * their front.
   */
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
