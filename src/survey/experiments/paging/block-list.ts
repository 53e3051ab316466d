import type { Exchange, Session } from '../../../client/index.ts';
import { counted } from '../../../config/index.ts';
import { Skipped } from '../../../scenario/index.ts';
import type { ExperimentRunner } from '../../asking/experiment-runner.ts';
import { mentions } from '../../asking/reaction.ts';
import { Undecided } from '../../facts/fact.ts';
import { entryKeys, isContainerAt, type ListPlace, listPlace } from './entries.ts';

export type ListId = 'listBlocked' | 'listBlockers';

/** Pause between two entries, so that a list ordered by milliseconds shows their order. */
const BETWEEN_MS = 5;

/** Segments that should return a short list completely, for any meaning of the two numbers. */
export const generousSegments = ['0/100', '1/100', '100/0', '100/1', '0/50', '1/50', '50/1', '50/0'];

/** More than any experiment blocks. */
const MOST_TARGETS = 130;

interface Block {
  readonly by: Session;
  readonly friendId: string;
}

/** One of the two lists with the survey's entries: their keys, in order of creation. */
export class BlockList {
  readonly runner: ExperimentRunner;
  readonly id: ListId;
  readonly made: string[] = [];
  #blockers: Session[] = [];
  #place: ListPlace | undefined;
  #only: Block | undefined;
  /** Users who exist and can be blocked; those of a provisioner at once, the environment's where others are refused. */
  #targets: string[] | undefined;
  #needsExisting = false;

  constructor(runner: ExperimentRunner, id: ListId) {
    this.runner = runner;
    this.id = id;
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
      const only = error instanceof Undecided ? await this.#withFriend() : undefined;
      if (!only) throw error;
      this.#only = only;
      await this.#block(only, 'the friend could not be blocked');
      return this.#keyOf(only);
    }
  }

  async read(n1: number | string, n2: number | string): Promise<Exchange> {
    return this.runner.send(this.id, { n1: String(n1), n2: String(n2) });
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
    let reads = 0;
    const read = async () => {
      reads++;
      let last: Exchange | undefined;
      for (const pair of candidates) {
        last = await this.read(...pair);
        if (mentionsAll(last, keys)) {
          shown = pair;
          break;
        }
      }
      return last as Exchange;
    };
    const { last, waitedMs } = await this.runner.waitUntil(read, () => shown !== undefined);
    if (!shown)
      throw new Undecided(
        `${counted(keys.length, 'new entry', 'new entries')} never appeared at ${candidates.map(String).join(' ')}`,
        [last],
      );
    return { n1: shown[0], n2: shown[1], reads, waitedMs };
  }

  async #addOne(): Promise<string> {
    const { session, world } = this.runner;
    if (this.id === 'listBlocked') {
      this.#targets ??= await this.#existing();
      const existing = this.#targets.shift();
      if (existing === undefined && this.#needsExisting)
        throw new Undecided('needs more users who exist: OTHER_USER_IDS or PROVISION_URL');
      const block = { by: session, friendId: existing ?? world.data.idLike(session.caller.userId) };
      const exchange = await this.runner.send('block', { friendId: block.friendId }, { session });
      if (this.runner.outcome('block', exchange).kind === 'accepted') return this.#keyOf(block);
      if (existing !== undefined) throw new Undecided(`${existing} could not be blocked`, [exchange]);
      this.#needsExisting = true;
      this.#targets = [...world.environment.data.otherUserIds];
      return this.#addOne();
    }
    if (this.#blockers.length === 0) this.#blockers = await this.#moreBlockers();
    const block = { by: this.#blockers.shift() as Session, friendId: session.caller.userId };
    await this.#block(block, 'a fresh user could not block the caller');
    return this.#keyOf(block);
  }

  /** The only entry that the environment's users can create; `undefined` without a second user. */
  async #withFriend(): Promise<Block | undefined> {
    const { session, world } = this.runner;
    const { friend } = world.environment;
    if (friend.userId === undefined) return undefined;
    if (this.id === 'listBlocked') return { by: session, friendId: friend.userId };
    try {
      return { by: await world.session('friend'), friendId: session.caller.userId };
    } catch (error) {
      if (error instanceof Skipped) return undefined;
      throw error;
    }
  }

  async #block({ by, friendId }: Block, otherwise: string): Promise<void> {
    const exchange = await this.runner.send('block', { friendId }, { session: by });
    if (this.runner.outcome('block', exchange).kind !== 'accepted') throw new Undecided(otherwise, [exchange]);
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
    await this.#block(block, 'an unblocked user could not be blocked again');
    return key;
  }

  #keyOf({ by, friendId }: Block): string {
    return this.id === 'listBlocked' ? friendId : by.caller.userId;
  }

  async #existing(): Promise<string[]> {
    const provisioner = await this.runner.world.provisioner();
    this.#needsExisting = provisioner !== undefined;
    return provisioner ? (await provisioner.users(MOST_TARGETS)).map(({ userId }) => userId) : [];
  }

  async #moreBlockers(): Promise<Session[]> {
    const provisioner = await this.runner.world.provisioner();
    if (!provisioner) throw new Undecided('needs several users who block the caller: PROVISION_URL');
    return (await provisioner.users(30)).map((user) => this.runner.sessionOf(user));
  }
}

function mentionsAll(exchange: Exchange, keys: readonly string[]): boolean {
  return keys.every((key) => mentions(exchange, key));
}
