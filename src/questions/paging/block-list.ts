import type { Session } from '../../call/index.ts';
import type { Exchange } from '../../http/index.ts';
import { outcomeOf } from '../../verdict/index.ts';
import { type Asker, Undecided } from '../asker/asker.ts';
import { mentions } from '../asker/reaction.ts';
import { entryKeys, isContainerAt, type ListPlace, listPlace } from './entries.ts';

/** Pause between two entries, so that a list ordered by milliseconds shows their order. */
const BETWEEN_MS = 5;

/** Segments that should return a short list completely, for any meaning of the two numbers. */
const generousSegments = ['0/100', '1/100', '100/0', '100/1', '0/50', '1/50', '50/1', '50/0'];

/** More than any experiment blocks. */
const MOST_TARGETS = 10;

interface Block {
  readonly by: Session;
  readonly friendId: string;
  /** The user may not exist. */
  readonly isInvented?: true;
}

/** One of the two lists with the survey's entries: `made` has their keys, in order of creation. */
export function blockListOf(asker: Asker) {
  const { requests } = asker;
  const { session, environment } = requests;
  const isOwn = asker.id === 'listBlocked';
  const made: string[] = [];
  let takesInvented = true;
  let known: ListPlace | undefined;

  /** Users to block: those of a provisioner; otherwise invented ones, and the environment's where these are refused. */
  async function* usersToBlock(): AsyncGenerator<Block, undefined> {
    const provisioned = (await requests.freshUsers(MOST_TARGETS))?.map(({ userId }) => userId);
    while (!provisioned && takesInvented)
      yield { by: session, friendId: requests.data.idLike(session.caller.userId), isInvented: true };
    for (const friendId of provisioned ?? environment.data.otherUserIds) yield { by: session, friendId };
  }

  async function* blockers(): AsyncGenerator<Block, undefined> {
    for (let users = await requests.freshUsers(MOST_TARGETS); users; users = await requests.freshUsers(MOST_TARGETS))
      for (const user of users) yield { by: requests.sessionOf(user), friendId: session.caller.userId };
    return undefined;
  }

  const more = isOwn ? usersToBlock() : blockers();

  /** Makes an entry; returns its key. @throws Undecided */
  async function addOne(): Promise<string> {
    const { value: entry } = await more.next();
    const [needed, otherwise] = isOwn
      ? ['needs more users who exist: OTHER_USER_IDS or PROVISION_URL', 'another user could not be blocked']
      : ['needs several users who block the caller: PROVISION_URL', 'a fresh user could not block the caller'];
    if (!entry) throw new Undecided(needed);
    const { by, friendId, isInvented } = entry;
    const exchange = await requests.send('block', { friendId }, { session: by });
    if (requests.outcome('block', exchange).kind === 'accepted') return isOwn ? friendId : by.caller.userId;
    if (!isInvented) throw new Undecided(otherwise, [exchange]);
    takesInvented = false;
    return addOne();
  }

  const read = (n1: number | string, n2: number | string) => asker.send({ n1: String(n1), n2: String(n2) });

  const isPage = (exchange: Exchange) => outcomeOf(exchange, environment.successWhen).isAccepted;

  /** The place of the list is determined by the first page with entries. */
  const placeIn = (exchange: Exchange) => {
    known ??= listPlace(exchange, made);
    return known;
  };

  /** Segments whose response mentions all that was made, after a wait, and that response. @throws Undecided if there are none. */
  async function segmentsShowingAll() {
    const { n1: own, n2: other } = environment.blockListSegments;
    const candidates = [...new Set([`${own}/${other}`, ...generousSegments])];
    let [n1 = '', n2 = '']: string[] = [];
    const showsAll = (page: Exchange) => made.every((key) => mentions(page, key));
    const look = async () => {
      let page: Exchange | undefined;
      for (const pair of candidates) {
        [n1 = '', n2 = ''] = pair.split('/');
        page = await read(n1, n2);
        if (showsAll(page)) break;
      }
      return page as Exchange;
    };
    const { last: wholeList, held } = await requests.waitUntil(look, showsAll);
    if (held) return { n1, n2, wholeList };
    throw new Undecided(`${made.length} new entries never appeared at ${candidates.join(' ')}`, [wholeList]);
  }

  return {
    made,
    read,
    segmentsShowingAll,
    /** Adds entries, by blocks of users, or by fresh users' blocks: as many as there are users, but `least`. @throws Undecided */
    add: async (count: number, least = count): Promise<void> => {
      for (let index = 0; index < count; index++) {
        if (made.length > 0) await requests.pause(BETWEEN_MS);
        try {
          made.push(await addOne());
        } catch (error) {
          if (error instanceof Undecided && index >= least) return;
          throw error;
        }
      }
    },
    /** The keys of a page's entries; an error has none, whatever its fields are. */
    keysIn: (exchange: Exchange) => (isPage(exchange) ? entryKeys(exchange, made, placeIn(exchange)) : []),
    isPage,
    /** Whether a response has the list, in whatever frame. */
    isIn: (exchange: Exchange) => known === undefined || isContainerAt(exchange, known),
    /** Whether its entries are those of a map, which may stand in the order of their names. */
    isMap: (exchange: Exchange) => {
      const place = placeIn(exchange);
      return place !== undefined && isContainerAt(exchange, place, 'map');
    },
  };
}
