import { asyncProperty, check } from 'fast-check';
import type { Exchange } from '../../client/index.ts';
import { Skipped } from '../skip.ts';
import type { World } from '../world.ts';
import { Crew } from './crew.ts';
import { replayOf, script, story } from './story.ts';
import type { WalkMaker } from './walk.ts';

/** However large the budget: more plans find little more. */
const MOST_PLANS = 100;

/**
 * Carries out random plans, within REQUEST_BUDGET. A plan that breaks is shrunk to the shortest that breaks, and told
 * as a story and as a script of curls.
 * @throws what the shortest plan broke.
 */
export async function runWalk<Plan>(world: World, make: WalkMaker<Plan>): Promise<void> {
  const crew = new Crew(world);
  const walk = await make(world, crew);
  const budget = world.environment.requestBudget;
  let shortest: { error: unknown; exchanges: Exchange[] } | undefined;
  const attempt = async (plan: Plan) => {
    // Beyond the budget nothing is sent: what was found so far, or nothing, is the outcome.
    if (crew.sent + walk.requests > budget && crew.sent > 0) return;
    crew.takeExchanges();
    try {
      await walk.perform(plan);
    } catch (error) {
      shortest = { error, exchanges: crew.takeExchanges() };
      throw error;
    }
  };
  const replay = replayOf(process.env);
  const numRuns = Math.max(1, Math.min(MOST_PLANS, Math.floor(budget / walk.requests)));
  const details = await check(asyncProperty(walk.plans, attempt), {
    numRuns,
    seed: replay?.seed ?? world.seed | 0,
    ...(replay ? { path: replay.path } : {}),
  });
  if (!details.failed || !shortest || !details.counterexample) return;
  if (shortest.error instanceof Skipped) throw shortest.error;
  const [plan] = details.counterexample;
  const told = story(walk.tell(plan), details);
  await world.observer.attach?.('the shortest story', told);
  await world.observer.attach?.('the story as a script', script(shortest.exchanges, told));
  throw withStory(shortest.error, `${told}\n\n${script(shortest.exchanges)}`);
}

function withStory(error: unknown, text: string): unknown {
  if (!(error instanceof Error)) return error;
  const message = `${error.message}\n\n${text}`;
  if (error.stack) error.stack = error.stack.replace(error.message, () => message);
  error.message = message;
  return error;
}
