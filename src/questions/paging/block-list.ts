import type { Session } from '../../call/index.ts';
import type { Exchange } from '../../http/index.ts';
import { outcomeOf } from '../../verdict/index.ts';
import { type Asker, Undecided } from '../asker/asker.ts';
import { mentions } from '../asker/reaction.ts';
import { entryKeys, isContainerAt, type ListPlace, listPlace } from './entries.ts';

/** The pause between two new entries in ms: a list that is sorted by milliseconds must show their order. */
const BETWEEN_MS = 5;

/** Path segments that should return a short list as a whole, in whichever way the service reads the two numbers. */
const generousSegments = ['0/100', '1/100', '100/0', '100/1', '0/50', '1/50', '50/1', '50/0'];

/** The number of fresh users to request at a time, which is more than any experiment needs. */
const MOST_TARGETS = 10;

interface Block {
  readonly by: Session;
  readonly friendId: string;
  /** The id was made up, so the user may not exist. */
  readonly isInvented?: true;
}

/** One of the two lists of blocks, with the entries that an experiment adds to it. */
export class BlockEntries {
  /** The keys of the added entries, in the order of creation. */
  readonly made: string[] = [];
  readonly #asker: Asker;
  readonly #requests: Asker['requests'];
  readonly #isOwn: boolean;
  readonly #blocks: AsyncGenerator<Block, undefined>;
  #takesInvented = true;
  /** The place of the list in a response. The first page with entries determines it. */
  #place: ListPlace | undefined;

  constructor(asker: Asker) {
    this.#asker = asker;
    this.#requests = asker.requests;
    this.#isOwn = asker.id === 'listBlocked';
    this.#blocks = this.#isOwn ? this.#blocksOfUsers() : this.#blocksByUsers();
  }

  /**
   * Adds `count` entries to the list: the caller blocks users, or fresh users block the caller. If there are not enough users, adds fewer
   * entries, but at least `least`. @throws Undecided
   */
  async add(count: number, least = count): Promise<void> {
    for (let index = 0; index < count; index++) {
      if (this.made.length > 0) await this.#requests.pause(BETWEEN_MS);
      try {
        this.made.push(await this.#addOne());
      } catch (error) {
        if (error instanceof Undecided && index >= least) return;
        throw error;
      }
    }
  }

  read(n1: number | string, n2: number | string): Promise<Exchange> {
    return this.#asker.send({ n1: String(n1), n2: String(n2) });
  }

  /**
   * Finds path segments for which the response mentions all added entries. Returns the segments and this response. If no response does so
   * yet, waits.
   * @throws Undecided if no path segments give such a response
   */
  async segmentsShowingAll() {
    const { n1: own, n2: other } = this.#requests.environment.blockListSegments;
    const candidates = [...new Set([`${own}/${other}`, ...generousSegments])];
    let [n1 = '', n2 = '']: string[] = [];
    const showsAll = (page: Exchange) => this.made.every((key) => mentions(page, key));
    const look = async () => {
      let page: Exchange | undefined;
      for (const pair of candidates) {
        [n1 = '', n2 = ''] = pair.split('/');
        page = await this.read(n1, n2);
        if (showsAll(page)) break;
      }
      return page as Exchange;
    };
    const { last: wholeList, held } = await this.#requests.waitUntil(look, showsAll);
    if (held) return { n1, n2, wholeList };
    throw new Undecided(`${this.made.length} new entries never appeared at ${candidates.join(' ')}`, [wholeList]);
  }

  /** The keys of a page's entries. The response may be an error, which has no entries. */
  keysIn(exchange: Exchange): string[] {
    return this.isPage(exchange) ? entryKeys(exchange, this.made, this.#placeIn(exchange)) : [];
  }

  isPage(exchange: Exchange): boolean {
    return outcomeOf(exchange, this.#requests.environment.successWhen).isAccepted;
  }

  /** Whether a response contains the list at its known place. Other fields may differ between pages, so they aren't compared. */
  isIn(exchange: Exchange): boolean {
    return this.#place === undefined || isContainerAt(exchange, this.#place);
  }

  /** Whether the list is a map, whose entries may be sorted by their names. */
  isMap(exchange: Exchange): boolean {
    const place = this.#placeIn(exchange);
    return place !== undefined && isContainerAt(exchange, place, 'map');
  }

  #placeIn(exchange: Exchange): ListPlace | undefined {
    this.#place ??= listPlace(exchange, this.made);
    return this.#place;
  }

  /**
   * Users for the caller to block: those of the provisioner, if there is one. Otherwise invented users, and once the service refuses an
   * invented user, those of OTHER_USER_IDS.
   */
  async *#blocksOfUsers(): AsyncGenerator<Block, undefined> {
    const { session: by, environment, data } = this.#requests;
    const provisioned = (await this.#requests.freshUsers(MOST_TARGETS))?.map(({ userId }) => userId);
    while (!provisioned && this.#takesInvented) yield { by, friendId: data.idLike(by.caller.userId), isInvented: true };
    for (const friendId of provisioned ?? environment.data.otherUserIds) yield { by, friendId };
  }

  async *#blocksByUsers(): AsyncGenerator<Block, undefined> {
    const { userId: friendId } = this.#requests.session.caller;
    const more = () => this.#requests.freshUsers(MOST_TARGETS);
    for (let users = await more(); users; users = await more())
      for (const user of users) yield { by: this.#requests.sessionOf(user), friendId };
    return undefined;
  }

  /** Adds one entry and returns its key. @throws Undecided */
  async #addOne(): Promise<string> {
    const { value: block } = await this.#blocks.next();
    const [needed, otherwise] = this.#isOwn
      ? ['needs more users who exist: OTHER_USER_IDS or PROVISION_URL', 'another user could not be blocked']
      : ['needs several users who block the caller: PROVISION_URL', 'a fresh user could not block the caller'];
    if (!block) throw new Undecided(needed);
    const { by, friendId, isInvented } = block;
    const exchange = await this.#requests.send('block', { friendId }, { session: by });
    if (this.#requests.outcome('block', exchange).kind === 'accepted') return this.#isOwn ? friendId : by.caller.userId;
    if (!isInvented) throw new Undecided(otherwise, [exchange]);
    this.#takesInvented = false;
    return this.#addOne();
  }
}
