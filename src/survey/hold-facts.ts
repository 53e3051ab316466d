import type { Fact } from '../facts/index.ts';
import { type Answer, entryIn, isSameAnswer, NotAccepted, questionNamed, Undecided } from '../questions/index.ts';
import { askerOf, ExperimentRunner, RequestBudget, Skipped, SurveyEnded, type WorldBasis } from '../scenario/index.ts';
import type { AreaId, CallableId, Effect } from '../service/index.ts';
import { type CallSite, callSite, ExpectationError, outcomeOf, Prevented, SuiteFault } from '../verdict/index.ts';
import { leavesNothing } from './findings.ts';

/**
 * Checks whether the facts about an area still hold, with requests of one effect. Leaves out facts that another scenario of this run has
 * checked already. If a fact doesn't hold, this is drift, and the check continues with the other facts.
 * @throws Skipped if the environment has no facts, or none of them can be checked
 */
export function holdFacts(world: WorldBasis, area: AreaId, effect: Effect): Promise<void> {
  const site = callSite(holdFacts);
  return world.observer.step('what is known of the service still holds', site, () =>
    holdAll(world, area, effect, site),
  );
}

async function holdAll(world: WorldBasis, area: AreaId, effect: Effect, site: CallSite): Promise<void> {
  const { facts, name, requestBudget: maxRequests } = world.environment;
  if (!facts) throw new Skipped(needsFacts(name));
  const session = await world.session();
  const budget = new RequestBudget({ maxRequests });
  const runner = new ExperimentRunner({ world, session, budget, isSparing: true });
  const factsToHold = [...facts].filter((fact) => {
    const entry = entryIn(world.environment, fact.operation as CallableId);
    if (entry?.area !== area) return false;
    const question = questionNamed(fact.question, entry);
    return effect === (question?.effect ?? entry.effect);
  });
  const heldInRun = new Set(world.facts.heldInRun.all());
  const [held, untried]: [string[], string[]] = [[], []];
  let isDrifted = false;
  const prevented: { readonly fact: Fact; readonly why: string; readonly isAlways: boolean }[] = [];
  let before: { readonly fact: Fact; readonly answer?: string | undefined } | undefined;
  try {
    for (const fact of inTurn(factsToHold)) {
      const label = `${fact.operation} ${fact.question}: ${fact.answer}`;
      if (heldInRun.has(`${fact.operation} ${fact.question}`)) {
        held.push(`${label} (by its own scenario)`);
        continue;
      }
      if (before && !(before.fact.operation === fact.operation && leavesNothing(before.answer))) await runner.tidy();
      try {
        const finding = await look(runner, fact, site);
        if (!finding) continue;
        before = { fact, answer: finding.answer };
        const gone = goneThing(runner, fact, finding);
        if (gone) throw new Undecided(gone);
        held.push(label);
        const shown = finding.seen.at(-1);
        if (!isSameAnswer(fact.answer, finding.answer) && shown) {
          isDrifted = true;
          session.context.drift?.broke(fact, finding.answer, shown, site);
        }
      } catch (error) {
        before = { fact };
        const why = whyNot(error, runner, site);
        untried.push(`${label} (${why})`);
        const isAlways = error instanceof Undecided && isNoAnswer(error, runner);
        if (isAlways || error instanceof NotAccepted) prevented.push({ fact, why, isAlways });
        if (error instanceof SurveyEnded) break;
      }
    }
  } finally {
    await runner.tidy();
  }
  const part = (title: string, lines: readonly string[]) => [`${title}: ${lines.length}`, ...lines].join('\n  ');
  await world.observer.attach?.('facts', `${part('checked', held)}\n${part('not checked', untried)}`);
  // A service may refuse some valid requests because of its state. The check only gives up if all were refused, so that no fact could be
  // checked, or if a response was neither a success nor a refusal.
  const first = prevented.find(({ isAlways }) => isAlways || held.length === 0);
  if (first && !isDrifted) throw new Prevented(first.why, first.fact);
  if (held.length === 0) throw new Skipped(untried[0] ?? needsFacts(name));
}

/**
 * Sorts the facts of each operation so that their checks need few requests. First come the facts whose check sends a valid request, because
 * the other checks use this request as a control. Then come the facts about refusals, because a refused request leaves the state unchanged.
 * The fact about the shape of errors is last, because the responses to the other requests show this shape.
 */
function inTurn(facts: readonly Fact[]): Fact[] {
  const turnOf = ({ question, answer }: Fact) =>
    /^(repeat|known-flag)$/.test(question) ? 0 : leavesNothing(answer) ? 1 : question === 'error-shape' ? 3 : 2;
  return [...Map.groupBy(facts, ({ operation: id }) => id).values()].flatMap((alike) =>
    alike.sort((a, b) => turnOf(a) - turnOf(b)),
  );
}

function needsFacts(environment: string): string {
  return `needs facts: npx sextant survey --env ${environment}`;
}

/**
 * Checks one fact, as a step of the report. `undefined` if the fact can't be checked. If a valid request would have a permanent effect,
 * only facts about refusals are checked.
 */
async function look(runner: ExperimentRunner, fact: Fact, site: CallSite): Promise<Answer | undefined> {
  const { question: name, answer } = fact;
  const id = fact.operation as CallableId;
  const entry = runner.entry(id);
  const question = questionNamed(name, entry);
  const isRefusal = name === 'error-shape' || (name !== 'repeat' && leavesNothing(answer));
  if (!question?.hold || (runner.isSpared(id) && !isRefusal)) return undefined;
  const { hold, ask } = question;
  const title = `${entry.title.toLowerCase()}: ${name} is ${answer}`;
  const asker = askerOf(runner, entry, name);
  const find = () => (hold === 'again' ? ask(asker) : hold(asker, answer));
  // The answer is remembered by the request, not by the operation: operations 11 and 12 have the same request in the specification, so one
  // check is enough for both.
  const request = `${entry.method} ${entry.path} ${name}: ${answer}`;
  return runner.world.observer.step(title, site, () => runner.remembered(request, find));
}

/** Questions about unknown ids, each with the key of the environment that sets a known id. */
const configured: Readonly<Record<string, string>> = {
  'unknown-story': 'STORY_ID',
  'unknown-user': 'FRIEND_USER_ID',
  'unknown-item': 'STORED_ITEM_IDS',
};

/**
 * Explains why a changed answer may be no drift: the service gives the same answer for an unknown id, so the story, user or item that the
 * environment names may be gone. `undefined` if the check also sends a valid request, because its response shows whether the story, user or
 * item is gone. The explanation hides no real problem: other scenarios use the same id, and fail if it is gone.
 */
function goneThing({ environment, isSpared }: ExperimentRunner, fact: Fact, { answer }: Answer): string | undefined {
  const { question, operation: id } = fact;
  if (isSameAnswer(fact.answer, answer) || question in configured || !isSpared(id as CallableId)) return undefined;
  const found = Object.entries(configured).find(([unknown]) => environment.facts?.of(unknown, id)?.answer === answer);
  return found && `${answer}, as for an invented id: ${found[1]} may name something that no longer exists`;
}

/** Whether a response is neither a success nor a refusal, for example a login page. */
function isNoAnswer({ seen }: Undecided, { environment }: ExperimentRunner): boolean {
  return seen.some((exchange) => outcomeOf(exchange, environment.successWhen).shortfall('decided'));
}

/**
 * The reason why a fact could not be checked.
 * @throws ExpectationError if a response breaks an expectation, NotTried if a credential is refused, and any unexpected error
 */
function whyNot(error: unknown, { environment }: ExperimentRunner, site: CallSite): string {
  if (error instanceof SuiteFault && error.category === 'refused') throw error;
  if (error instanceof Undecided) {
    const [control] = error.seen;
    const refused =
      error instanceof NotAccepted && control
        ? outcomeOf(control, environment.successWhen).shortfall('success')
        : undefined;
    if (control && refused?.verdict === 'refused') throw new ExpectationError(control, refused).at(site);
    for (const exchange of error.seen) {
      const shortfall = outcomeOf(exchange, environment.successWhen).shortfall('settled');
      if (shortfall) throw new ExpectationError(exchange, shortfall).at(site);
    }
    return error.message;
  }
  if (error instanceof Skipped || error instanceof SuiteFault || error instanceof SurveyEnded) return error.message;
  throw error;
}
