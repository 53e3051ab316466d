import type * as FastCheck from 'fast-check';
import { type ApiResponse, inside } from '../../client/index.ts';
import { expect } from '../expect.ts';
import type { Actors } from './actors.ts';
import { type ModelTest, withoutOne } from './model-test.ts';

type Who = 'caller' | 'friend';
type Whom = Who | 'stranger';

type Change = { readonly who: Who; readonly does: 'block' | 'unblock'; readonly whom: 'other' | 'stranger' };
type Look = { readonly who: Who; readonly does: 'listBlocked' | 'listBlockers' };
export type BlockStep = Change | Look;

const other = { caller: 'friend', friend: 'caller' } as const;
const users: readonly Who[] = ['caller', 'friend'];
const whoms = ['other', 'stranger'] as const;

const changeBy = ({ constantFrom, record }: typeof FastCheck, ...who: Who[]) =>
  record({
    who: constantFrom(...who),
    does: constantFrom('block' as const, 'unblock' as const),
    whom: constantFrom(...whoms),
  });
const lookBy = ({ constantFrom, record }: typeof FastCheck, ...who: Who[]) =>
  record({ who: constantFrom(...who), does: constantFrom('listBlocked' as const, 'listBlockers' as const) });

/** Two users block and unblock each other and a third user, and read their lists: the model is a set for each. */
export const blocks: ModelTest<BlockStep[]> = {
  plans: (random) => {
    const change = { weight: 3, arbitrary: changeBy(random, ...users) };
    const look = { weight: 1, arbitrary: lookBy(random, ...users) };
    return random.array(random.oneof(change, look), { minLength: 1, maxLength: 8 });
  },
  requests: 16,
  perform: async (plan, actors) => {
    const model = await BlockModel.of(actors);
    for (const step of plan) await model.perform(step);
    await model.checkAllLists();
  },
  shorter: withoutOne,
  describe: (plan) => plan.map(describeStep),
};

const lane = (random: typeof FastCheck, who: Who) => random.array(changeBy(random, who), { maxLength: 5 });

/** The same by both at once. Their changes are independent, so the final state doesn't depend on the order. */
export const blocksAtOnce: ModelTest<[caller: BlockStep[], friend: BlockStep[]]> = {
  plans: (random) => random.tuple(lane(random, 'caller'), lane(random, 'friend')),
  requests: 16,
  perform: async (plan, actors) => {
    const model = await BlockModel.of(actors);
    await Promise.all(
      plan.map(async (steps) => {
        for (const step of steps) await model.perform(step);
      }),
    );
    await model.checkAllLists();
  },
  shorter: ([caller, friend]) => [
    ...withoutOne(caller).map((shorter): [BlockStep[], BlockStep[]] => [shorter, friend]),
    ...withoutOne(friend).map((shorter): [BlockStep[], BlockStep[]] => [caller, shorter]),
  ],
  describe: (plan) => plan.flatMap((steps) => steps.map((step) => `${describeStep(step)} (while the other acts)`)),
};

function describeStep(step: BlockStep): string {
  if (!('whom' in step))
    return `the ${step.who} lists ${step.does === 'listBlocked' ? 'the users they blocked' : 'the users who blocked them'}`;
  return `the ${step.who} ${step.does}s the ${whomOf(step)}`;
}

function whomOf({ who, whom }: Change): Whom {
  return whom === 'other' ? other[who] : whom;
}

/** The two users, the ids of all three, and the model. */
class BlockModel {
  readonly #clients: Readonly<Record<Who, Awaited<ReturnType<Actors['as']>>>>;
  readonly #ids: Readonly<Record<Whom, string>>;
  readonly #blocked: Readonly<Record<Who, Set<Whom>>> = { caller: new Set(), friend: new Set() };

  private constructor(clients: Record<Who, Awaited<ReturnType<Actors['as']>>>, stranger: string) {
    this.#clients = clients;
    this.#ids = { caller: clients.caller.id, friend: clients.friend.id, stranger };
  }

  static async of(actors: Actors): Promise<BlockModel> {
    const clients = { caller: await actors.as('caller'), friend: await actors.as('friend') };
    const { id } = await actors.world.value('stranger');
    const model = new BlockModel(clients, id);
    await actors.cleanly(async () => {
      for (const who of users) for (const whom of whoms) await model.#send({ who, does: 'unblock', whom }).settles();
    });
    return model;
  }

  /** All four lists must agree with the model. */
  async checkAllLists(): Promise<void> {
    for (const who of users)
      for (const does of ['listBlocked', 'listBlockers'] as const) await this.perform({ who, does });
  }

  async perform(step: BlockStep): Promise<void> {
    if (!('whom' in step)) return this.#look(step);
    const { who, does } = step;
    const whom = whomOf(step);
    const changes = this.#blocked[who].has(whom) !== (does === 'block');
    // The specification doesn't define blocking twice, or unblocking a user who isn't blocked.
    if (changes) await this.#send(step).succeeds(`documented: a user can ${does} another`);
    else await this.#send(step).settles();
    if (does === 'block') this.#blocked[who].add(whom);
    else this.#blocked[who].delete(whom);
  }

  #send(step: Change) {
    return this.#clients[step.who].friends[step.does]({ friendId: this.#ids[whomOf(step)] });
  }

  async #look({ who, does }: Look): Promise<void> {
    const expected = does === 'listBlocked' ? this.#blocked[who] : this.#blockersOf(who);
    await this.#clients[who].friends[does]().eventually((list) => this.#agree(list, expected));
  }

  #blockersOf(who: Who): ReadonlySet<Whom> {
    return new Set(users.filter((by) => this.#blocked[by].has(who)));
  }

  #agree(list: ApiResponse, expected: ReadonlySet<Whom>): void {
    for (const name of Object.keys(this.#ids) as Whom[]) {
      const id = this.#ids[name];
      const there = `documented: the list mentions the ${name}, as in the model` as const;
      const absent = `documented: the list does not mention the ${name}, as in the model` as const;
      if (expected.has(name)) expect(list, there).toMention(id);
      else if (inside(list).mentions(id) || inside(list).provesAbsenceOf(id)) expect(list, absent).not.toMention(id);
    }
  }
}
