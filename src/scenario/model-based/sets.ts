import type * as FastCheck from 'fast-check';
import { type ApiResponse, inside } from '../../client/index.ts';
import { type OperationId, type OperationsWith, operation, requestFields, userArguments } from '../../spec/index.ts';
import { sampleArguments } from '../data/sample-arguments.ts';
import { expect } from '../specs/expect.ts';
import { type Actors, type ModelTest, withoutOne } from './model-test.ts';

type Who = 'caller' | 'friend';
/** The user, or the only other thing, that a change is sent for. */
type Whom = Who | 'stranger' | 'one';

/** A change of the sender's set, or with no `whom` a look at a list of it. */
export interface SetStep {
  readonly who: Who;
  readonly does: OperationId;
  readonly whom?: 'other' | 'stranger' | 'one';
}

const other = { caller: 'friend', friend: 'caller' } as const;
const users: readonly Who[] = ['caller', 'friend'];

/** A change that adds to a set of each user, the undo that removes, and what lists the set: all by the specification. */
class SetFacts {
  readonly add: OperationId;
  readonly remove: OperationId;
  /** The list of what the reader added. */
  readonly own: OperationId | undefined;
  /** The list of the users who added the reader. */
  readonly theirs: OperationId | undefined;
  readonly field: string;
  readonly whoms: readonly ('other' | 'stranger' | 'one')[];

  constructor(add: OperationsWith<'undo'>) {
    const entry = operation(add);
    this.add = add;
    this.remove = entry.undo as OperationId;
    this.own = entry.shownBy as OperationId | undefined;
    this.theirs = entry.shownToThemBy as OperationId | undefined;
    this.field = requestFields(entry)[0] as string;
    this.whoms = userArguments.has(this.field) ? ['other', 'stranger'] : ['one'];
  }

  get lists(): readonly OperationId[] {
    return [this.own, this.theirs].filter((list) => list !== undefined);
  }

  steps({ constantFrom, oneof, record }: typeof FastCheck, ...who: Who[]): FastCheck.Arbitrary<SetStep> {
    const change = this.changes({ constantFrom, record } as typeof FastCheck, ...who);
    if (this.lists.length === 0) return change;
    const look = record({ who: constantFrom(...who), does: constantFrom(...this.lists) });
    return oneof({ weight: 3, arbitrary: change }, { weight: 1, arbitrary: look });
  }

  changes({ constantFrom, record }: typeof FastCheck, ...who: Who[]): FastCheck.Arbitrary<SetStep> {
    return record({
      who: constantFrom(...who),
      does: constantFrom(this.add, this.remove),
      whom: constantFrom(...this.whoms),
    });
  }

  describe({ who, does, whom }: SetStep): string {
    if (!whom) return `the ${who} reads: ${operation(does).title.toLowerCase()}`;
    return `the ${who} ${does}s ${whom === 'one' ? 'it' : `the ${whom === 'other' ? other[who] : whom}`}`;
  }
}

/** Two users add to their sets, remove from them and read their lists, in any order: the model is a set for each. */
export function setModel(change: OperationsWith<'undo'>): ModelTest<SetStep[]> {
  const facts = new SetFacts(change);
  return {
    plans: (random) => random.array(facts.steps(random, ...users), { minLength: 1, maxLength: 8 }),
    requests: facts.lists.length > 0 ? 16 : 8,
    perform: async (plan, actors) => {
      const model = await SetModel.of(facts, actors);
      for (const step of plan) await model.perform(step);
      await model.checkAllLists();
    },
    shorter: withoutOne,
    describe: (plan) => plan.map((step) => facts.describe(step)),
  };
}

/** The same by both at once. Their changes are independent, so the final state doesn't depend on the order. */
export function setModelAtOnce(change: OperationsWith<'undo'>): ModelTest<[caller: SetStep[], friend: SetStep[]]> {
  const facts = new SetFacts(change);
  const lane = (random: typeof FastCheck, who: Who) => random.array(facts.changes(random, who), { maxLength: 5 });
  return {
    plans: (random) => random.tuple(lane(random, 'caller'), lane(random, 'friend')),
    requests: 16,
    perform: async (plan, actors) => {
      const model = await SetModel.of(facts, actors);
      const act = async (steps: readonly SetStep[]) => {
        for (const step of steps) await model.perform(step);
      };
      await Promise.all(plan.map(act));
      await model.checkAllLists();
    },
    shorter: ([caller, friend]) => [
      ...withoutOne(caller).map((shorter): [SetStep[], SetStep[]] => [shorter, friend]),
      ...withoutOne(friend).map((shorter): [SetStep[], SetStep[]] => [caller, shorter]),
    ],
    describe: (plan) => plan.flatMap((steps) => steps.map((step) => `${facts.describe(step)} (while the other acts)`)),
  };
}

/** The two users, the ids that they add, and the model. */
class SetModel {
  readonly #facts: SetFacts;
  readonly #as: Readonly<Record<Who, Awaited<ReturnType<Actors['as']>>>>;
  readonly #ids: ReadonlyMap<Whom, string>;
  readonly #added: Readonly<Record<Who, Set<Whom>>> = { caller: new Set(), friend: new Set() };

  private constructor(
    facts: SetFacts,
    as: Record<Who, Awaited<ReturnType<Actors['as']>>>,
    ids: ReadonlyMap<Whom, string>,
  ) {
    this.#facts = facts;
    this.#as = as;
    this.#ids = ids;
  }

  static async of(facts: SetFacts, actors: Actors): Promise<SetModel> {
    const as = { caller: await actors.as('caller'), friend: await actors.as('friend') };
    const ids = new Map<Whom, string>();
    if (facts.whoms.includes('one')) {
      const sample = (await sampleArguments(actors.world, facts.add)) as Readonly<Record<string, string>>;
      ids.set('one', sample[facts.field] as string);
    } else {
      for (const who of users) ids.set(who, as[who].id);
      ids.set('stranger', (await actors.world.value('stranger')).id);
    }
    const model = new SetModel(facts, as, ids);
    await actors.cleanly(async () => {
      for (const who of users)
        for (const whom of facts.whoms) await model.#send({ who, does: facts.remove, whom }).settles();
    });
    return model;
  }

  /** All lists must agree with the model. */
  async checkAllLists(): Promise<void> {
    for (const who of users) for (const does of this.#facts.lists) await this.perform({ who, does });
  }

  async perform(step: SetStep): Promise<void> {
    const { who, does } = step;
    if (!step.whom) return this.#look(who, does);
    const whom = this.#whomOf(step);
    const isAdded = does === this.#facts.add;
    // The specification doesn't define adding twice, or removing what isn't there.
    if (this.#added[who].has(whom) === isAdded) await this.#send(step).settles();
    else
      await this.#send(step).succeeds(
        `${this.#facts.own ? 'documented' : 'assumed'}: ${does} changes what is not so yet`,
      );
    if (isAdded) this.#added[who].add(whom);
    else this.#added[who].delete(whom);
  }

  #whomOf({ who, whom }: SetStep): Whom {
    return whom === 'other' ? other[who] : (whom as Whom);
  }

  #send(step: SetStep) {
    return this.#as[step.who].call(step.does, { [this.#facts.field]: this.#ids.get(this.#whomOf(step)) });
  }

  async #look(who: Who, does: OperationId): Promise<void> {
    const expected =
      does === this.#facts.own ? this.#added[who] : new Set(users.filter((by) => this.#added[by].has(who)));
    await this.#as[who].call(does, undefined).eventually((list) => this.#agree(list, expected));
  }

  #agree(list: ApiResponse, expected: ReadonlySet<Whom>): void {
    for (const [name, id] of this.#ids) {
      const it = name === 'one' ? 'it' : `the ${name}`;
      const there = `documented: the list mentions ${it}, as in the model` as const;
      const absent = `documented: the list does not mention ${it}, as in the model` as const;
      if (expected.has(name)) expect(list, there).toMention(id);
      else if (inside(list).mentions(id) || inside(list).provesAbsenceOf(id)) expect(list, absent).not.toMention(id);
    }
  }
}
