import type { Exchange, Session } from '../../../client/index.ts';
import { counted } from '../../../config/index.ts';
import { Skipped } from '../../../scenario/index.ts';
import type { ExperimentRunner } from '../../asking/experiment-runner.ts';
import type { Question } from '../../asking/question.ts';
import { mentions } from '../../asking/reaction.ts';
import { Undecided } from '../../facts/fact.ts';
import { entryKeys, isContainerAt, type ListPlace, listPlace } from './entries.ts';

/** Pause between two entries, so that a list ordered by milliseconds shows their order. */
const BETWEEN_MS = 5;

/** Segments that should return a short list completely, for any meaning of the two numbers. */
export const generousSegments = ['0/100', '1/100', '100/0', '100/1', '0/50', '1/50', '50/1', '50/0'];

/** More than any experiment blocks. */
const MOST_TARGETS = 130;

interface Block {
  readonly by: Session;
  readonly friendId: string;
  /** The user may not exist. */
  readonly isInvented?: true;
}

/** One of the two lists with the survey's entries: their keys, in order of creation. */
export class BlockList {
  readonly runner: ExperimentRunner;
  readonly made: string[] = [];
  readonly #question: Question;
  readonly #isOwn: boolean;
  readonly #more: AsyncGenerator<Block, undefined>;
  #takesInvented = true;
  #place: ListPlace | undefined;
  #only: Block | undefined;

  constructor(question: Question) {
    this.runner = question.runner;
    this.#question = question;
    this.#isOwn = question.id === 'listBlocked';
    this.#more = this.#isOwn ? this.#blocked() : this.#blockers();
  }

  /** Adds entries, by blocks of users, or by fresh users' blocks: as many as there are users, but `least`. @throws Undecided */
  async add(count: number, least = count): Promise<void> {
    for (let index = 0; index < count; index++) {
      if (this.made.length > 0) await this.runner.budget.pause(BETWEEN_MS);
      try {
        this.made.push(await this.#addOne());
      } catch (error) {
        if (error instanceof Undecided && index >= least) return;
        throw error;
      }
    }
  }

  /** Makes one entry appear: a new one, or the friend's again if no other is possible. @throws Undecided */
  async renew(): Promise<string> {
    if (this.#only) return this.#again(this.#only);
    try {
      return await this.#addOne();
    } catch (error) {
      this.#only = error instanceof Undecided ? await this.#withFriend() : undefined;
      if (!this.#only) throw error;
      return this.#block(this.#only, 'the friend could not be blocked');
    }
  }

  async read(n1: number | string, n2: number | string): Promise<Exchange> {
    return this.#question.send({ n1: String(n1), n2: String(n2) });
  }

  /** The keys of a page's entries; the place of the list is determined by the first page with entries. */
  keysIn(exchange: Exchange): string[] {
    this.#place ??= listPlace(exchange, this.made);
    return entryKeys(exchange, this.made, this.#place);
  }

  /** Whether a response has the list, in whatever frame. */
  isIn(exchange: Exchange): boolean {
    return this.#place === undefined || isContainerAt(exchange, this.#place);
  }

  /** Whether its entries are those of a map, which may stand in the order of their names. */
  isMap(exchange: Exchange): boolean {
    this.#place ??= listPlace(exchange, this.made);
    return this.#place !== undefined && isContainerAt(exchange, this.#place, 'map');
  }

  /** Segments whose response mentions all of `keys`, after a wait. @throws Undecided if there are none. */
  async segmentsShowing(keys: readonly string[]): Promise<{ n1: string; n2: string; reads: number; waitedMs: number }> {
    const { n1, n2 } = this.runner.environment.blockListSegments;
    const candidates = [...new Set([`${n1}/${n2}`, ...generousSegments])].map(
      (pair) => pair.split('/') as [string, string],
    );
    let shown: [string, string] | undefined;
    const read = async () => {
      let last: Exchange | undefined;
      for (const pair of candidates) {
        last = await this.read(...pair);
        if (!mentionsAll(last, keys)) continue;
        shown = pair;
        break;
      }
      return last as Exchange;
    };
    const { last, reads, waitedMs } = await this.runner.waitUntil(read, () => shown !== undefined);
    if (!shown)
      throw new Undecided(
        `${counted(keys.length, 'new entry', 'new entries')} never appeared at ${candidates.map(String).join(' ')}`,
        [last],
      );
    return { n1: shown[0], n2: shown[1], reads, waitedMs };
  }

  async #addOne(): Promise<string> {
    const { value: block } = await this.#more.next();
    if (!block)
      throw new Undecided(
        this.#isOwn
          ? 'needs more users who exist: OTHER_USER_IDS or PROVISION_URL'
          : 'needs several users who block the caller: PROVISION_URL',
      );
    if (!block.isInvented)
      return this.#block(
        block,
        this.#isOwn ? `${block.friendId} could not be blocked` : 'a fresh user could not block the caller',
      );
    if ((await this.#send(block)).isAccepted) return this.#keyOf(block);
    this.#takesInvented = false;
    return this.#addOne();
  }

  /** Users to block: those of a provisioner; otherwise invented ones, and the environment's where these are refused. */
  async *#blocked(): AsyncGenerator<Block, undefined> {
    const { session: by, world } = this.runner;
    const provisioner = await world.provisioner();
    const provisioned = (await provisioner?.users(MOST_TARGETS))?.map(({ userId }) => userId);
    while (!provisioned && this.#takesInvented)
      yield { by, friendId: world.data.idLike(by.caller.userId), isInvented: true };
    for (const friendId of provisioned ?? world.environment.data.otherUserIds) yield { by, friendId };
  }

  async *#blockers(): AsyncGenerator<Block, undefined> {
    const { session, world } = this.runner;
    const provisioner = await world.provisioner();
    while (provisioner)
      for (const user of await provisioner.users(30))
        yield { by: this.runner.sessionOf(user), friendId: session.caller.userId };
    return undefined;
  }

  /** The only entry that the environment's users can create; `undefined` without a second user. */
  async #withFriend(): Promise<Block | undefined> {
    const { session, world } = this.runner;
    const { friend } = world.environment;
    if (friend.userId === undefined) return undefined;
    if (this.#isOwn) return { by: session, friendId: friend.userId };
    try {
      return { by: await world.session('friend'), friendId: session.caller.userId };
    } catch (error) {
      if (error instanceof Skipped) return undefined;
      throw error;
    }
  }

  async #send({ by, friendId }: Block) {
    const exchange = await this.runner.send('block', { friendId }, { session: by });
    return { exchange, isAccepted: this.runner.outcome('block', exchange).kind === 'accepted' };
  }

  /** Makes an entry; returns its key. @throws Undecided */
  async #block(block: Block, otherwise: string): Promise<string> {
    const { exchange, isAccepted } = await this.#send(block);
    if (!isAccepted) throw new Undecided(otherwise, [exchange]);
    return this.#keyOf(block);
  }

  async #again(block: Block): Promise<string> {
    const key = this.#keyOf(block);
    const { n1, n2 } = await this.segmentsShowing([key]);
    await this.runner.send('unblock', { friendId: block.friendId }, { session: block.by });
    const { last, held } = await this.runner.waitUntil(
      () => this.read(n1, n2),
      (exchange) => !mentionsAll(exchange, [key]),
    );
    if (!held) throw new Undecided('an unblocked user never left the list', [last]);
    return this.#block(block, 'an unblocked user could not be blocked again');
  }

  #keyOf({ by, friendId }: Block): string {
    return this.#isOwn ? friendId : by.caller.userId;
  }
}

function mentionsAll(exchange: Exchange, keys: readonly string[]): boolean {
  return keys.every((key) => mentions(exchange, key));
}
