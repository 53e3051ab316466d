import type { Circumstances, ContractLog } from '../client/index.ts';
import type { CallableId } from '../spec/index.ts';
import { lastAccepted } from './acceptance-memory.ts';
import { LEFT_BEHIND } from './causes/describe-failure.ts';
import { type Configured, configuredIn } from './configured-data.ts';
import type { Entry } from './journal/entries.ts';
import { openRefusal } from './readings/open-refusal.ts';
import type { WorldBasis } from './world-basis.ts';

/** Where what was left behind shows, by the operation that would take it back. */
const shownBy: Readonly<Record<string, readonly CallableId[]>> = {
  // A block may affect more than the lists.
  unblock: ['block', 'unblock', 'listBlocked', 'listBlockers', 'readProfile'],
  unlove: ['love', 'unlove'],
  updateProfile: ['updateProfile', 'getFriendProfile', 'readProfile'],
};

/**
 * The circumstances of one scenario; `leftBehind` could not be undone before it started, and `contract` knows requests that
 * the team's own document forbids.
 */
export function circumstancesOf(
  world: WorldBasis,
  leftBehind: readonly Entry[],
  contract?: ContractLog,
): Circumstances {
  const { environment } = world;
  return {
    suspects: ({ id, title }, args) => {
      const named = configuredIn(environment, args);
      return named.length === 0
        ? undefined
        : suspectsText(title, named, lastAccepted(environment, id, named), Date.now());
    },
    open: (operation, args, refused) => openRefusal(world, operation, args, refused),
    doubt: (exchange) => {
      const found = leftBehind.find(({ undo }) => shownBy[undo]?.includes(exchange.operation));
      if (!found) return contract?.doubt(exchange);
      const { change, args, userId, at } = found;
      return `${change} ${JSON.stringify(args)} of ${userId}, ${LEFT_BEHIND} at ${at}, could not be undone`;
    },
  };
}

/** `for STORY_ID=story-1: love story fails, or the story is gone; it was accepted until 02:14`. */
export function suspectsText(
  title: string,
  named: readonly Configured[],
  acceptedAt: number | undefined,
  now: number,
): string {
  const values = named.map(({ key, value }) => `${key}=${value}`).join(', ');
  const nouns = [...new Set(named.map(({ noun }) => noun))].join(' or ');
  const until = acceptedAt === undefined ? '' : `; it was accepted until ${clock(acceptedAt, now)}`;
  return `for ${values}: ${title.toLowerCase()} fails, or ${nouns} is gone${until}`;
}

/** The time of day, in front of it the date where that isn't today's; local time. */
function clock(at: number, now: number): string {
  const [date, time] = local(at);
  return date === local(now)[0] ? time : `${date} ${time}`;
}

function local(at: number): [date: string, time: string] {
  const moment = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return [
    `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`,
    `${two(moment.getHours())}:${two(moment.getMinutes())}`,
  ];
}
