import {
  type Circumstances,
  type Claim,
  type Exchange,
  idIn,
  isPlainRefusal,
  judge,
  type SuiteError,
} from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { type CallableId, operation } from '../../spec/index.ts';
import { LEFT_BEHIND } from '../causes/describe-failure.ts';
import { configuredIn } from '../data/configured-data.ts';
import { historyText, noteOutcome, recall, type Subject, subjectOf } from '../data/memory.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import type { Entry } from '../journal/entries.ts';
import { drift } from './as-before.ts';
import { openRefusal } from './open-refusal.ts';

/** The circumstances of one scenario: `leftovers` gives what could not be undone and what it did not change itself. */
export function circumstancesOf(world: WorldBasis, leftovers: () => readonly Entry[]): Circumstances {
  const { environment } = world;
  return {
    suspects: ({ id, title }, args) => suspectsOf(environment, id as CallableId, title, args),
    open: (operation, args, refused) => openRefusal(world, operation, args, refused),
    repeated: (exchange) => repeatedOtherwise(environment, exchange),
    leftBehind: ({ area }, id) => {
      const explains = (entry: Entry) =>
        operation(entry.change).area === area && [idIn(entry.args), entry.userId].includes(String(id));
      // What this scenario changed itself had a known start.
      const found = leftovers().find((entry) => explains(entry));
      if (!found) return undefined;
      const { change, args, userId, at } = found;
      return `${change} ${JSON.stringify(args)} of ${userId}, ${LEFT_BEHIND} at ${at}, could not be undone`;
    },
  };
}

/** `for STORY_ID=story-1: love story fails, or the story is gone; accepted 214 times since 2026-11-03 09:12, refused since 11:20`. */
export function suspectsOf(environment: Environment, id: CallableId, title: string, args: unknown): string | undefined {
  const named = configuredIn(environment, args);
  if (named.length === 0) return undefined;
  const values = named.map(({ key, value }) => `${key}=${value}`).join(', ');
  const nouns = [...new Set(named.map(({ noun }) => noun))].join(' or ');
  const subject = subjectOf(environment, id, args);
  const known = subject && recall(environment, subject);
  const history = known?.accepted ? `; ${historyText(known, 'accepted', Date.now())}` : '';
  return `for ${values}: ${title.toLowerCase()} fails, or ${nouns} is gone${history}`;
}

/** A repeat that was always refused and is accepted now: what was done may have had no effect. */
function repeatedOtherwise(environment: Environment, exchange: Exchange): SuiteError | undefined {
  const { operation, startedAt } = exchange;
  const subject: Subject = { operation, of: ['repeat'] };
  const known = recall(environment, subject);
  if (isPlainRefusal(exchange, environment.successWhen)) noteOutcome(environment, subject, 'refused', startedAt);
  if (!known?.refused || judge(exchange, 'success', environment.successWhen) !== undefined) return undefined;
  const claim: Claim = `learned: ${operation} of the same is refused here`;
  return drift(environment, exchange, { subject, usual: 'refused', claim, observed: 'it was accepted' });
}
