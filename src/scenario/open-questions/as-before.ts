import {
  type ApiResponse,
  type Claim,
  callSite,
  type Exchange,
  ExpectationError,
  inside,
  leaves as leavesOf,
  Unproven,
} from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { learnedText, noteOutcome, type Outcome, recall, type Subject } from '../data/memory.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { matchers, shownValues, type WrittenProfile } from '../specs/expect.ts';
import { probe } from '../specs/probe.ts';

/** What the specification leaves open, and was seen here: `accepted` stands for the first of two words. */
export interface Observation {
  readonly what: string;
  readonly isFirst: boolean;
  readonly words: readonly [string, string];
  /** How often it must have been the other word, and never this one. */
  readonly least?: number;
  /** Why it proves nothing where it is the second word, and always was. */
  readonly otherwise?: string;
}

/** By chance, a list without an order would show one so often in one run of 256. */
export const TIMES_THAT_ARE_NO_CHANCE = 8;

interface Habit {
  readonly subject: Subject;
  readonly usual?: Outcome;
  readonly claim: Claim;
  readonly observed: string;
}

/** The error where something is no longer as it was here; `undefined` where it never was. */
export function drift(
  environment: Environment,
  exchange: Exchange,
  { subject, usual = 'accepted', claim, observed }: Habit,
): ExpectationError | undefined {
  const known = recall(environment, subject);
  if (!known?.[usual]) return undefined;
  const history = learnedText(environment, known, usual, Date.now());
  return new ExpectationError(exchange, { verdict: 'drifted', claim, observed: `${observed}; ${history}` });
}

export function asBefore(world: WorldBasis) {
  const { environment } = world;
  const hold = (response: ApiResponse, { what, isFirst, words, least = 1, otherwise }: Observation) => {
    const { exchange } = inside(response);
    const subject: Subject = { operation: exchange.operation, of: ['as before', what] };
    const [outcome, usual]: [Outcome, Outcome] = isFirst ? ['accepted', 'refused'] : ['refused', 'accepted'];
    const [is, was] = isFirst ? words : words.toReversed();
    const known = recall(environment, subject);
    if (!known?.[outcome] && (known?.[usual]?.count ?? 0) >= least) {
      const claim: Claim = `learned: ${exchange.operation} of ${what} is ${was} here`;
      throw drift(environment, exchange, { subject, usual, claim, observed: `it was ${is}` })?.at(callSite(hold));
    }
    noteOutcome(environment, subject, outcome, exchange.startedAt);
    if (otherwise && !isFirst) throw new Unproven(otherwise);
  };
  const answers = (response: ApiResponse, what: string) =>
    hold(response, { what, isFirst: !response.isRefusal, words: ['accepted', 'refused'] });
  /** Whether a text comes back as it was sent. @throws Unproven where it doesn't, and never did. */
  const keptTitle = (_response: ApiResponse, what: string, _text: string) => `${what} is kept`;
  const keeps = probe(world, keptTitle, async (response: ApiResponse, what: string, text: string) => {
    const isFirst = [...leavesOf(inside(response).json)].some((leaf) => leaf.text === text);
    const otherwise = `${what} is changed, and the specification shows no limits of a text`;
    hold(response, { what, isFirst, words: ['kept', 'changed'], otherwise });
  });
  const shows = (response: ApiResponse, what: string, text = '') =>
    hold(response, { what, isFirst: inside(response).mentions(text), words: ['shown', 'not shown'] });
  const orders = (response: ApiResponse, older: string, newer: string) => {
    const { text } = inside(response);
    const isFirst = text.indexOf(newer) < text.indexOf(older);
    const words = ['newest first', 'oldest first'] as const;
    hold(response, { what: 'entries', isFirst, words, least: TIMES_THAT_ARE_NO_CHANCE });
  };
  /** Whether an update leaves the fields that it does not name. @throws Unproven where it doesn't, and never did, or none is shown. */
  const notNamed = 'what an update does not name';
  const leaves = probe(world, `${notNamed} is left`, async (response: ApiResponse, written: WrittenProfile) => {
    const fields = (['status', 'url', 'gender'] as const).filter(
      (field) => shownValues(inside(response).json, written.name ?? '', field).length > 0,
    );
    if (fields.length === 0) throw new Unproven('the profile that is read shows nothing but its name');
    const isFirst = fields.every((field) => matchers.toShow(response, field, written).pass);
    const otherwise = `${notNamed} is changed too, which the specification leaves open`;
    hold(response, { what: notNamed, isFirst, words: ['left', 'changed'], otherwise });
  });
  return { answers, keeps, shows, orders, holds: hold, leaves };
}
