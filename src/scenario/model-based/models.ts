import type * as FastCheck from 'fast-check';
import { type ApiResponse, inside } from '../../call/index.ts';
import {
  type OperationId,
  type OperationsWith,
  operation,
  pathParameters,
  requestFields,
  userArguments,
} from '../../service/index.ts';
import { sampleArguments, strangerOf } from '../data/data-values.ts';
import { expect } from '../specs/expect.ts';
import { Skipped } from '../specs/tags.ts';
import type { Actors, ModelTest } from './model-test.ts';

type Who = 'caller' | 'friend';
/** The target of a change: a user. If the operation isn't about users, the only target is `one`. */
type Whom = Who | 'stranger' | 'one';

/** A change to the sender's set or, without `whom`, a read of one of its lists. */
interface SetStep {
  readonly who: Who;
  readonly does: OperationId;
  readonly whom?: 'other' | 'stranger' | 'one';
}

const other = { caller: 'friend', friend: 'caller' } as const;
const users: readonly Who[] = ['caller', 'friend'];

/** For an operation that adds to a user's set, looks up in the specification: its undo, and the lists that show the set. */
function factsOf(add: OperationsWith<'undo'>) {
  const entry = operation(add);
  // `own` lists the users whom the reader added, and `theirs` the users who added the reader.
  const [own, theirs] = [entry.shownBy, entry.shownToThemBy] as (OperationId | undefined)[];
  const field = requestFields(entry)[0] as string;
  const whoms = userArguments.has(field) ? (['other', 'stranger'] as const) : (['one'] as const);
  const lists = [own, theirs].filter((list) => list !== undefined);
  return { add: add as OperationId, remove: entry.undo as OperationId, own, lists, field, whoms };
}

type SetFacts = ReturnType<typeof factsOf>;

function changes(
  { constantFrom, record }: typeof FastCheck,
  { add, remove, whoms }: SetFacts,
  ...who: Who[]
): FastCheck.Arbitrary<SetStep> {
  return record({ who: constantFrom(...who), does: constantFrom(add, remove), whom: constantFrom(...whoms) });
}

function inWords({ who, does, whom }: SetStep): string {
  if (!whom) return `the ${who} reads: ${operation(does).title.toLowerCase()}`;
  return `the ${who} ${does}s ${whom === 'one' ? 'it' : `the ${whom === 'other' ? other[who] : whom}`}`;
}

/** Two users add to their sets, remove from them and read their lists, in any order. The model is one set for each user. */
export function setModel(change: OperationsWith<'undo'>): ModelTest<SetStep> {
  const facts = factsOf(change);
  const { lists } = facts;
  const step = (random: typeof FastCheck) => {
    const arbitrary = changes(random, facts, ...users);
    if (lists.length === 0) return arbitrary;
    const look = random.record({ who: random.constantFrom(...users), does: random.constantFrom(...lists) });
    return random.oneof({ weight: 3, arbitrary }, { weight: 1, arbitrary: look });
  };
  return {
    plans: (random) => random.array(step(random), { minLength: 1, maxLength: 8 }),
    requests: lists.length > 0 ? 16 : 8,
    perform: async (plan, actors) => {
      const model = await UserSets.begin(facts, actors);
      for (const each of plan) await model.perform(each);
      await model.checkAllLists();
    },
    inWords,
  };
}

/** Like `setModel`, but both users act at the same time. Their changes are independent, so the final state doesn't depend on the order. */
export function setModelAtOnce(change: OperationsWith<'undo'>): ModelTest<SetStep> {
  const facts = factsOf(change);
  const lane = (random: typeof FastCheck, who: Who) => random.array(changes(random, facts, who), { maxLength: 5 });
  return {
    plans: (random) => random.tuple(lane(random, 'caller'), lane(random, 'friend')).map((lanes) => lanes.flat()),
    requests: 16,
    perform: async (plan, actors) => {
      const model = await UserSets.begin(facts, actors);
      const act = async (by: Who) => {
        for (const each of plan) if (each.who === by) await model.perform(each);
      };
      await Promise.all(users.map(act));
      await model.checkAllLists();
    },
    inWords: (step) => `${inWords(step)} (while the other acts)`,
  };
}

type Actor = Awaited<ReturnType<Actors['as']>>;

/** The model: the entries that each of the two users has added. It is compared with the lists of the service. */
class UserSets {
  readonly #facts: SetFacts;
  readonly #actors: Readonly<Record<Who, Actor>>;
  readonly #ids: ReadonlyMap<Whom, string>;
  readonly #added = { caller: new Set<Whom>(), friend: new Set<Whom>() };

  private constructor(facts: SetFacts, actors: Readonly<Record<Who, Actor>>, ids: ReadonlyMap<Whom, string>) {
    this.#facts = facts;
    this.#actors = actors;
    this.#ids = ids;
  }

  /** Creates the model with two empty sets, and empties the users' sets in the service, too. */
  static async begin(facts: SetFacts, actors: Actors): Promise<UserSets> {
    const { add, remove, own: ownList, field, whoms } = facts;
    const as = { caller: await actors.as('caller'), friend: await actors.as('friend') };
    const ids = new Map<Whom, string>();
    if (whoms[0] === 'one') {
      const sample = (await sampleArguments(actors.world, add)) as Readonly<Record<string, string>>;
      ids.set('one', sample[field] as string);
    } else {
      for (const who of users) ids.set(who, as[who].id);
      ids.set('stranger', (await strangerOf(actors.world)).id);
    }
    const model = new UserSets(facts, as, ids);
    const all = users.flatMap((who) => whoms.map((whom) => ({ who, whom })));
    // If no list shows the change, the suite can't look up whether the user had made it before. Only the refusal of another `add` shows
    // that.
    if (!ownList && !actors.world.environment.provisionUrl)
      for (const each of all) await model.#send({ ...each, does: add }).settles();
    await actors.cleanly(async () => {
      for (const each of all) await model.#send({ ...each, does: remove }).settles();
    });
    return model;
  }

  async perform(step: SetStep): Promise<void> {
    const { who, does, whom } = step;
    if (!whom) return this.#look(who, does);
    const { add, own } = this.#facts;
    const [added, isAdded] = [this.#added[who], does === add];
    // The specification leaves open what happens if an entry is added twice, or removed while it isn't there.
    if (added.has(whomOf(step)) === isAdded) await this.#send(step).settles();
    else
      await this.#send(step).succeeds(`${own ? 'documented' : 'assumed'}: ${does} makes a change that is not made yet`);
    if (isAdded) added.add(whomOf(step));
    else added.delete(whomOf(step));
  }

  async checkAllLists(): Promise<void> {
    for (const who of users) for (const does of this.#facts.lists) await this.#look(who, does);
  }

  #send(step: SetStep) {
    return this.#actors[step.who].call(step.does, { [this.#facts.field]: this.#ids.get(whomOf(step)) });
  }

  async #look(who: Who, does: OperationId): Promise<void> {
    const addedBy = () => users.filter((by) => this.#added[by].has(who));
    const expected = does === this.#facts.own ? this.#added[who] : new Set<Whom>(addedBy());
    await this.#actors[who].call(does, undefined).eventually((list) => this.#agree(list, expected));
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

function whomOf({ who, whom }: SetStep): Whom {
  return whom === 'other' ? other[who] : (whom as Whom);
}

/** Two users save in any order, with an operation that adds or updates. Every save must succeed (specification, part 4, rule 1). */
export function saveModel(id: OperationsWith<'addsOrUpdates'>): ModelTest<Who> {
  return {
    plans: ({ array, constantFrom }) => array(constantFrom(...users), { minLength: 1, maxLength: 6 }),
    requests: 6,
    perform: async (plan, actors) => {
      const as = { caller: await actors.as('caller'), friend: await actors.as('friend') };
      for (const who of plan)
        await as[who]
          .call(id, await sampleArguments(actors.world, id))
          .succeeds('documented: saving updates what exists, and adds what does not');
    },
    inWords: (who) => `the ${who}: ${operation(id).title.toLowerCase()}`,
  };
}

const ITEMS = 3;

/** Deletes items in any order, some of them twice. The first deletion of an item must succeed, and the second must not be a 5xx. */
export function deleteModel(id: OperationsWith<'usesUp'>): ModelTest<number> {
  const [parameter = ''] = pathParameters(operation(id).path);
  return {
    plans: ({ array, nat }) => array(nat({ max: ITEMS - 1 }), { minLength: 1, maxLength: 5 }),
    requests: 5,
    perform: async (plan, actors) => {
      const { call, id: userId } = await actors.as('caller');
      const provisioner = await actors.world.provisioner();
      if (!provisioner)
        throw new Skipped('needs fresh stored items for each plan, more than STORED_ITEM_IDS has: PROVISION_URL');
      const items = await provisioner.items(userId, ITEMS);
      const gone = new Set<number>();
      for (const index of plan) {
        const sent = call(id, { [parameter]: items[index] as string });
        if (gone.has(index)) await sent.settles('assumed: deleting an item again is not a server error');
        else await sent.succeeds('documented: a stored item is deleted by its id');
        gone.add(index);
      }
    },
    inWords: (index) => `item ${index + 1} is deleted`,
  };
}
