import { type Exchange, type Expected, isNoEntries, Secret, Session } from '../../client/index.ts';
import { sampleArguments, type WorldWithData } from '../../scenario/index.ts';
import {
  type CallableId,
  type Method,
  type Operation,
  type OperationId,
  openQuestions,
  operation,
  pathParameters,
  questionOfForm,
  readProfile,
  shownByOutcomesOf,
  undoneChange,
} from '../../spec/index.ts';
import { Undecided } from '../facts/fact.ts';
import { type Samples, samplesFrom } from '../inference/samples.ts';
import { type Look, lookOf, looksLike, type Reaction, reactionOf, type Twice } from './reaction.ts';
import type { RequestBudget } from './request-budget.ts';
import { deletionAmong, isUsedUp, itemsToDelete } from './stored-items.ts';
import { pendingUndos, type Undo } from './survey-undo.ts';

export interface ExperimentRequest {
  readonly changes?: ReadonlyMap<string, string | undefined>;
  readonly session?: Session;
  /** The expected outcome; default `settled`, because most requests are invalid on purpose. */
  readonly expected?: Expected;
  /** A method other than the operation's, and its possible effect. */
  readonly instead?: Pick<Operation, 'effect'> & { readonly method: Method };
}

export interface Control {
  readonly exchange: Exchange;
  readonly args: unknown;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

export interface ExperimentRunnerOptions {
  readonly world: WorldWithData;
  readonly session: Session;
  readonly budget: RequestBudget;
  /** Only reversible effects, and no data reserved for other runs: for checking facts in every run. */
  readonly isSparing?: boolean;
  /** Exchanges of the scenarios: an item that they deleted need not be deleted again. */
  readonly earlier?: readonly Exchange[];
  readonly samples?: Samples;
}

export type ExperimentRunner = ReturnType<typeof experimentRunner>;

/** Sends the requests of experiments: within the budget, waiting when throttled, and undoing everything at the end. */
export function experimentRunner(options: ExperimentRunnerOptions) {
  const { world, session, budget, samples = samplesFrom(), isSparing = false, earlier = [] } = options;
  const { environment } = world;
  const { successWhen } = environment;
  const items = itemsToDelete(world, session.caller.userId, isSparing);
  const undos = pendingUndos();
  const looks = new Map<string, Look[]>();
  /** The last accepted request of each operation. */
  const controls = new Map<string, Control>();
  const deleted = deletionAmong(earlier, successWhen);
  if (deleted) controls.set(deleted.exchange.operation, deleted);
  const refused = new Map<string, Twice>();
  /** Users and items are provisioned, so that no real data can be harmed. */
  const isDisposable = environment.provisionUrl !== undefined;

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
    const { changes = new Map(), session: by = await sessionFor(id), expected = 'settled', instead } = request;
    const asked = { ...entry(id), ...instead };
    const exchange = await budget.send(() => by.exchange(asked, args, changes, expected));
    const { kind } = reactionOf(exchange, successWhen, []);
    // The effect of another method is unknown, so it can't be undone.
    if (instead) undos.strike(exchange.operation, args, { session: by, changes }, kind);
    else undos.note(exchange, args, { session: by, changes }, kind);
    if (!instead) samples.add(exchange, successWhen);
    budget.assertAnswered(exchange);
    return exchange;
  }

  /** Valid arguments, and the state for them: not every service lets a user block or love twice. */
  async function valid(id: CallableId): Promise<unknown> {
    if (id === readProfile.id) return { userId: (await world.value('caller')).id };
    if (isUsedUp(id)) return { [pathParameters(entry(id).path)[0] as string]: await items.take() };
    const args = await sampleArguments(world, id);
    await prepare(id, args);
    return args;
  }

  /** Undoes a state that prevents a change, and creates the state that an undo needs. */
  async function prepare(id: CallableId, args: unknown): Promise<void> {
    if (operation(id as OperationId).undo) await undos.undoAll(sendUndo);
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
      id === shownByOutcomesOf('typeVersion') && world.readings.of({ question: 'typeVersion' }) === undefined;
    let tried = isUncertain && first.reaction.kind === 'accepted' ? await sendValid(given) : first;
    const question = questionOfForm(id);
    for (const form of args === undefined ? formsOf(id) : []) {
      if (tried.reaction.kind === 'accepted') break;
      const next = await sendValid(form === undefined ? await valid(id) : await sampleArguments(world, id, form));
      if (next.reaction.kind !== 'accepted') continue;
      if (question && form) world.readings.find({ question, reading: form });
      tried = next;
    }
    const { exchange, sent, reaction } = tried;
    if (reaction.kind === 'accepted') {
      knows(id, exchange);
      controls.set(id, { exchange, args: sent });
      return exchange;
    }
    if (reaction.kind === 'refused' && args === undefined)
      refused.set(id, [exchange, (await sendValid(sent)).exchange]);
    const why = reaction.kind === 'refused' ? `refused with ${reaction.status}` : reaction.why;
    throw new Undecided(`a valid request was not accepted: ${why}`, [exchange]);
  }

  /** Other forms of an operation's arguments, by reading, where none is known; `undefined` for another of the environment's stored items. */
  function formsOf(id: CallableId): readonly (string | undefined)[] {
    if (isUsedUp(id)) return isDisposable ? [] : [undefined];
    const question = questionOfForm(id);
    if (!question || world.readings.of({ question })) return [];
    return Object.keys(openQuestions[question].readings).slice(1);
  }

  /**
   * Reads until `holds`, for CONSISTENCY_TIMEOUT_MS at most. `reads` is 1 if it held at once; `waitedMs` is the time from the start
   * to the response in which it held.
   */
  async function waitUntil(read: () => Promise<Exchange>, holds: (exchange: Exchange) => boolean) {
    const start = performance.now();
    for (let reads = 1, pause = FIRST_PAUSE_MS; ; reads++, pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const last = await read();
      const waitedMs = performance.now() - start;
      const held = holds(last);
      if (held || waitedMs + pause > environment.consistencyTimeoutMs) return { last, held, reads, waitedMs };
      await budget.pause(pause);
    }
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
    environment,
    session,
    budget,
    samples,
    items,
    controls,
    isDisposable,
    entry,
    send,
    valid,
    prepare,
    control,
    waitUntil,
    sessionFor,
    knows,
    /** Whether to avoid valid requests, because their effect is permanent. */
    isSpared: (id: CallableId) => isSparing && !isDisposable && entry(id).effect === 'irreversible',
    /** The refusal of a valid request, sent twice; `undefined` if one was accepted, or none was sent. */
    refusedControl: (id: CallableId) => (controls.has(id) ? undefined : refused.get(id)),
    outcome: (id: CallableId, exchange: Exchange): Reaction =>
      isNoEntries(exchange) && session.context.circumstances?.knowsNoEntries(exchange)
        ? { kind: 'unclear', why: '404, as this service answers for a list without entries' }
        : reactionOf(exchange, successWhen, looks.get(id) ?? []),
    /** Another user's session, with its token masked from now on. */
    sessionOf: ({ userId, accessToken }: { readonly userId: string; readonly accessToken: string }): Session => {
      const token = new Secret(accessToken);
      session.context.redactor.add(token);
      return new Session(session.context, { ...session.caller, userId, accessToken: token });
    },
    tidy: () => undos.undoAll(sendUndo),
    /** The same when all is asked; returns the changes that stay. */
    end: () => undos.undoAtLast(sendUndo),
  };
}
