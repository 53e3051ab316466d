import { pollFor, Session } from '../../call/index.ts';
import type { Exchange } from '../../http/index.ts';
import {
  type Control,
  type ExperimentRequest,
  formQuestionOf,
  type Look,
  lookOf,
  looksLike,
  NotAccepted,
  type Requests,
  reactionOf,
  type Success,
  type Twice,
  Undecided,
} from '../../questions/index.ts';
import { Secret } from '../../redaction/index.ts';
import { isKnownEmpty } from '../../safety/index.ts';
import { type CallableId, type Operation, operation, readProfile, undoneChange } from '../../service/index.ts';
import { callerOf, friendOf, sampleArguments } from '../data/data-values.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { Skipped } from '../specs/tags.ts';
import type { RequestBudget } from './request-budget.ts';
import { acceptedAmong, deletionAmong, itemsToDelete } from './stored-items.ts';
import { pendingUndos, type Undo } from './survey-undo.ts';

/** The reading of a version label that can be used only once. */
const SOURCE_LABEL = 'source';

/** Collects samples of every response, from which a survey learns. */
export interface ResponseSamples {
  add(exchange: Exchange, rule: SessionTarget['successWhen']): void;
  successes(id: CallableId): readonly Success[];
}

type SessionTarget = Session['context']['target'];

const nothingLearned: ResponseSamples = { add: () => {}, successes: () => [] };

export interface ExperimentRunnerOptions {
  readonly world: WorldBasis;
  readonly session: Session;
  readonly budget: RequestBudget;
  /** Only reversible effects, and no data reserved for other runs: for checking facts in every run. */
  readonly isSparing?: boolean;
  /** Exchanges of the scenarios: an item that they deleted need not be deleted again. */
  readonly earlier?: readonly Exchange[];
  readonly samples?: ResponseSamples;
}

/** Sends the requests of experiments, and undoes what they changed. */
export interface ExperimentRunner extends Requests {
  readonly world: WorldBasis;
  readonly budget: RequestBudget;
  /** Undoes every change so far. */
  tidy(): Promise<void>;
  /** The same when all is asked; returns the changes that stay. */
  end(): Promise<string[]>;
}

/** Sends the requests of experiments: within the budget, waiting when throttled, and undoing everything at the end. */
export function experimentRunner(options: ExperimentRunnerOptions): ExperimentRunner {
  const { world, session, budget, samples = nothingLearned, isSparing = false, earlier = [] } = options;
  const { environment } = world;
  const { successWhen } = environment;
  const items = itemsToDelete(world, session.caller.userId, isSparing);
  const undos = pendingUndos();
  const looks = new Map<string, Look[]>();
  /** The last accepted request of each operation. */
  const controls = new Map<string, Control>();
  const deleted = deletionAmong(earlier, successWhen);
  if (deleted) controls.set(deleted.exchange.operation, deleted);
  const refused = new Map<string, { readonly args: unknown; readonly responses: Twice }>();
  /** Users and items are provisioned, so that no real data can be harmed. */
  const isDisposable = environment.provisionUrl !== undefined;
  /** The forms in which valid arguments were accepted. */
  const takenForms = new Map<CallableId, string>();
  const remembered = new Map<string, unknown>();
  const sent: Exchange[] = [];

  function entry(id: CallableId): Operation {
    if (id !== readProfile.id) return operation(id);
    if (!environment.readProfile) throw new Undecided('FRIEND_PROFILE_REQUEST is not set');
    return environment.readProfile;
  }

  /**
   * Sends one request.
   * @throws SurveyEnded, Undecided without a response, SuiteFault if it may not be sent.
   */
  async function send(id: CallableId, args: unknown, request: ExperimentRequest = {}): Promise<Exchange> {
    const { changes = new Map(), session: by = await sessionFor(id), expected = 'settled' } = request;
    const exchange = await budget.send(() => by.exchange(entry(id), args, changes, expected));
    const { kind } = reactionOf(exchange, successWhen, []);
    undos.note(exchange, args, { session: by, changes }, kind);
    sent.push(exchange);
    samples.add(exchange, successWhen);
    budget.assertAnswered(exchange);
    return exchange;
  }

  /** Valid arguments, and the state for them: not every service lets a user block or love twice. */
  async function valid(id: CallableId): Promise<unknown> {
    if (id === readProfile.id) return { userId: (await callerOf(world)).id };
    if (id === 'deleteItem') return { id: await items.take() };
    const args = await sampleArguments(world, id, formOf(id));
    await prepare(id, args);
    return args;
  }

  /** Undoes a state that prevents a change, and creates the state that an undo needs. */
  async function prepare(id: CallableId, args: unknown): Promise<void> {
    if (entry(id).undo) await undos.undoAll(sendUndo);
    const change = undoneChange(id);
    if (change && !undos.has(id, args, session)) await send(change, args);
  }

  /** Sends a valid request, the control for invalid ones, in the form that is accepted. @throws Undecided */
  async function control(id: CallableId, args?: unknown): Promise<Exchange> {
    const given = args ?? (await valid(id));
    const sendValid = async (sent: unknown) => {
      const exchange = await send(id, sent, { expected: 'success' });
      return { exchange, sent, reaction: reactionOf(exchange, successWhen, []) };
    };
    const first = await sendValid(given);
    // A version label can be used only once, so a clone's form is certain only if it is accepted twice.
    const isUncertain =
      formQuestionOf(id)?.question === 'type-version' && !takenForms.has(id) && formOf(id) === SOURCE_LABEL;
    let tried = isUncertain && first.reaction.kind === 'accepted' ? await sendValid(given) : first;
    for (const form of args === undefined ? formsOf(id) : []) {
      if (tried.reaction.kind === 'accepted') break;
      const next = await sendValid(form === undefined ? await valid(id) : await sampleArguments(world, id, form));
      if (next.reaction.kind !== 'accepted') continue;
      if (form !== undefined) takenForms.set(id, form);
      tried = next;
    }
    const { exchange, sent, reaction } = tried;
    if (reaction.kind === 'accepted') {
      const form = formOf(id);
      if (args === undefined && form !== undefined) takenForms.set(id, form);
      knows(id, exchange);
      controls.set(id, { exchange, args: sent });
      return exchange;
    }
    if (reaction.kind === 'refused' && args === undefined)
      refused.set(id, { args: sent, responses: [exchange, (await sendValid(sent)).exchange] });
    const why = reaction.kind === 'refused' ? `refused with ${reaction.status}` : reaction.why;
    throw new NotAccepted(`a valid request was not accepted: ${why}`, [exchange]);
  }

  /** Other forms of an operation's arguments, by reading, until one was accepted; `undefined` for another of the environment's stored items. */
  function formsOf(id: CallableId): readonly (string | undefined)[] {
    if (id === 'deleteItem') return isDisposable ? [] : [undefined];
    if (isSparing || takenForms.has(id)) return [];
    return Object.keys(formQuestionOf(id)?.forms ?? {}).filter((form) => form !== formOf(id));
  }

  function formOf(id: CallableId): string | undefined {
    const [first] = Object.keys(formQuestionOf(id)?.forms ?? {});
    return first && (takenForms.get(id) ?? world.facts.formOf(id) ?? first);
  }

  /** A user may be able to do something lasting only once: with a provisioner, a fresh one does it each time. */
  async function sessionFor(id: CallableId): Promise<Session> {
    const { effect, headerSet, request } = entry(id);
    const isOnce = effect === 'irreversible' && headerSet === 'user' && request !== undefined;
    return isOnce && isDisposable ? world.freshSession() : session;
  }

  /** Remembers how an accepted response looks: a list may be empty, or null. */
  function knows(id: CallableId, exchange: Exchange): void {
    const look = lookOf(exchange);
    const known = looks.get(id) ?? [];
    if (!known.some((other) => looksLike(other, look))) looks.set(id, [...known, look]);
  }

  async function sendUndo({ operation: id, args, session: by, changes }: Undo): Promise<Exchange> {
    await budget.turn();
    return by.exchange(entry(id), args, changes, 'settled');
  }

  return {
    world,
    budget,
    environment,
    data: world.data,
    session,
    controls,
    sent: (id) => sent.filter(({ operation: of }) => of === id),
    isDisposable,
    entry,
    send,
    valid,
    prepare,
    control,
    waitUntil: (read, holds) => pollFor({ ms: environment.consistencyTimeoutMs, pause: budget.pause }, read, holds),
    sessionFor,
    knows,
    pause: budget.pause,
    remembered: async <T>(what: string, find: () => Promise<T>) => {
      if (!remembered.has(what)) remembered.set(what, await find());
      return remembered.get(what) as T;
    },
    successes: samples.successes,
    riskItem: items.risk,
    acceptedBefore: (id) => acceptedAmong(id, earlier, successWhen),
    formOf,
    isSpared: (id) => isSparing && !isDisposable && entry(id).effect === 'irreversible',
    refusedControl: (id) => (controls.has(id) ? undefined : refused.get(id)),
    outcome: (id, exchange) =>
      isKnownEmpty(exchange, session, environment)
        ? { kind: 'unclear', why: '404, as this service answers for a list without entries' }
        : reactionOf(exchange, successWhen, looks.get(id) ?? []),
    sessionOf: ({ userId, accessToken }) => {
      const token = new Secret(accessToken);
      session.context.redactor.add(token);
      return new Session(session.context, { ...session.caller, userId, accessToken: token });
    },
    friendSession: () =>
      world.session('friend').catch((error: unknown) => {
        if (error instanceof Skipped) return undefined;
        throw error;
      }),
    friendId: async () => (await friendOf(world)).id,
    callerId: async () => (await callerOf(world)).id,
    freshUsers: async (count) => (await world.provisioner())?.users(count),
    tidy: () => undos.undoAll(sendUndo),
    end: () => undos.undoAtLast(sendUndo),
  };
}
