import { type AreaClient, areaClient } from '../../call/index.ts';
import {
  type AreaId,
  areaIds,
  type CallableId,
  headersOf,
  operation,
  operationIds,
  type UserArea,
} from '../../service/index.ts';
import { dataFactories, sampleArguments } from '../data/data-values.ts';
import { deferUndo, invalidInputSender } from '../data/invalid-input.ts';
import { shownItems } from '../data/shown-items.ts';
import type { Actor } from '../data/users.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { type ModelTest, type PlanWorld, runModelTest } from '../model-based/model-test.ts';
import { fallsBack, flagDefault, hasItsOwnValue } from '../open-questions/flags.ts';
import { anotherLanguage, haveOwnWords } from '../open-questions/languages.ts';
import { confirmed, lovesShownBy } from '../open-questions/loves.ts';
import { takesEachCode } from '../open-questions/report-codes.ts';
import { fullPage, listsCatchUp, seenWhileBlocked, settling } from '../probes/lists.ts';
import {
  avatarItems,
  avatarsApart,
  otherGender,
  refusalEnds,
  restIsLeft,
  textIsKept,
} from '../probes/profile-probes.ts';
import { headerCheck, headerRefusal } from '../refusals/index.ts';

/** The areas that act as a user, whom a credential of their own identifies. */
const areasOfUsers = areaIds.filter((area) =>
  operationIds.some((id) => operation(id).area === area && headersOf(id).includes('authorization')),
);

const as = (actor: Actor) => async (world: WorldBasis) => {
  const session = await world.session(actor);
  return Object.fromEntries(areasOfUsers.map((area) => [area, areaClient(session, area)])) as unknown as {
    readonly [A in UserArea]: AreaClient<A>;
  };
};

const clients = Object.fromEntries(
  areaIds.map((area) => [area, async (world: WorldBasis) => areaClient(await world.session(), area)]),
) as {
  readonly [A in AreaId]: (world: WorldBasis) => Promise<AreaClient<A>>;
};

/** The values that a spec can ask for by name. */
export const factories = {
  ...dataFactories,
  ...clients,

  /** All of this, for what makes its own requests. */
  world: (world: PlanWorld) => world,

  asFriend: as('friend'),
  /** The same as a third user, who needs a provisioner. */
  asStranger: as('stranger'),
  /** Any operation by id, for generated specs. */
  call: (world: WorldBasis) => world.call(),
  /** Declares the undo of an operation that may have been carried out although it should have been rejected. */
  deferUndo: async (world: WorldBasis) => deferUndo(await world.call(), world.defer),
  /** Valid arguments of any operation, by id. */
  sample: (world: PlanWorld) => (id: CallableId) => sampleArguments(world, id),
  /** Has a header changed and the call refused, beside a control that is accepted. */
  checksHeader: (world: PlanWorld) => headerCheck(world),
  /** The same without a control, for specs that have their own. */
  refusesHeader: (world: PlanWorld) => headerRefusal(world),
  /** Sends invalid input, judges the response, and undoes whatever the service accepted. */
  sendInvalid: async (world: WorldBasis) => invalidInputSender(await world.call(), world.defer),
  anotherLanguage: (world: PlanWorld) => anotherLanguage(world),
  /** Judges the options of two languages. */
  haveOwnWords: (world: PlanWorld) => haveOwnWords(world),
  flagDefault: (world: PlanWorld) => flagDefault(world),
  /** Judges the evaluations of FLAG_KEY, which must not fall back, and of a flag that nobody has. */
  hasItsOwnValue: (world: PlanWorld) => hasItsOwnValue(world),
  /** The known answers to what the specification leaves open. */
  facts: (world: PlanWorld) => world.facts,
  /** A profile in the form that the service takes; each is another one. */
  newProfile: async (world: PlanWorld) => {
    await world.facts.asked('profile-form', 'updateProfile');
    return () => world.data.profile();
  },
  /** An avatar in the form that the service takes; each is another one. */
  newAvatar: async (world: PlanWorld) => {
    const shown = await shownItems(world);
    return () => world.data.avatar(undefined, shown);
  },
  /** Holds whether a text comes back as it was sent to the fact about it. */
  keepsText: (world: PlanWorld) => textIsKept(world),
  /** Holds whether an update leaves what it does not name to the fact about it. */
  leavesTheRest: (world: PlanWorld) => restIsLeft(world),
  /** Updates a profile that was written with another gender code that the service takes; returns what was written. */
  takesOtherGender: (world: PlanWorld) => otherGender(world),
  /** Looks whether a story is loved, by the answer to the question that says what shows it. */
  lovesShownBy: (world: PlanWorld) => lovesShownBy(world),
  /** Repeats a round that looks wrong, so many times. */
  confirmed: (world: PlanWorld) => confirmed(world),
  fillsAPage: (world: PlanWorld) => fullPage(world),
  /** Saves two avatars of the caller, of which the second must remain with its items. */
  keepsItems: (world: PlanWorld) => avatarItems(world),
  /** Saves an avatar of the caller and one of another owner or client, which must not be one. */
  keepsAvatarsApart: (world: PlanWorld) => avatarsApart(world),
  /** Ends the scenario where input is refused that may be. */
  unlessRefused: (world: PlanWorld) => refusalEnds(world),
  /** Blocks a user, sees them listed, and unblocks them. */
  isSeenWhileBlocked: (world: PlanWorld) => seenWhileBlocked(world),
  /** Waits for as long as what is read may lag behind a change. */
  hasSettled: (world: PlanWorld) => settling(world),
  /** Waits until the caller's list of blocks shows what was done before. */
  listsCatchUp: (world: PlanWorld) => listsCatchUp(world),
  /** Judges a report with several codes, and reports a story with others. */
  takesEachCode: (world: PlanWorld) => takesEachCode(world),
  /** Checks that an undefined key returns its default. */
  fallsBack: (world: PlanWorld) => fallsBack(world),
  /** Carries out random plans; see src/scenario/model-based. */
  modelTest:
    (world: PlanWorld) =>
    <Step>(modelTest: ModelTest<Step>): Promise<void> =>
      runModelTest(world, modelTest),
  /** As many of a list of attempts as REQUEST_BUDGET allows. */
  within:
    ({ environment }: WorldBasis) =>
    <T>(tries: readonly T[]): readonly T[] =>
      tries.slice(0, environment.requestBudget),
} satisfies Record<string, (world: PlanWorld) => unknown>;

type Factories = typeof factories;

export type WorldValues = { readonly [K in keyof Factories]: Awaited<ReturnType<Factories[K]>> };

export const valueNames = Object.keys(factories) as (keyof WorldValues)[];
