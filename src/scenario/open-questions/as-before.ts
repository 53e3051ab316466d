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

/** What the specification leaves open, and was seen here: `accepted` stands for the first of two words, which is the better one. */
export interface Observation {
  readonly what: string;
  readonly isFirst: boolean;
  readonly words: readonly [string, string];
  /** How often it must have been the other word, where it may be either by chance; otherwise it must have been so the last time. */
  readonly least?: number;
  /** Neither word is better. Otherwise turning to the first is no drift: what was seen during a fault may be repaired. */
  readonly isEither?: boolean;
  /** What is said where it turned from the first word to the second. */
  readonly lost?: string;
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
  /** What its outcomes are called; absent: accepted and refused. */
  readonly words?: Readonly<Record<Outcome, string>>;
  readonly sentence?: string | undefined;
}

/** The error where something is no longer as it was here; `undefined` where it never was. */
export function drift(
  environment: Environment,
  exchange: Exchange,
  { subject, usual = 'accepted', claim, observed, words, sentence }: Habit,
): ExpectationError | undefined {
  const known = recall(environment, subject);
  if (!known?.[usual]) return undefined;
  const learned = learnedText(environment, known, usual, Date.now());
  const history = words ? learned.replace(/accepted|refused/g, (word) => words[word as Outcome]) : learned;
  const told = sentence === undefined ? {} : { sentence };
  return new ExpectationError(exchange, { verdict: 'drifted', claim, observed: `${observed}; ${history}`, ...told });
}

export function asBefore(world: WorldBasis) {
  const { environment } = world;
  const hold = (response: ApiResponse, observation: Observation) => {
    const { what, isFirst, words, least = 1, isEither = false, lost, otherwise } = observation;
    const { exchange } = inside(response);
    const subject: Subject = { operation: exchange.operation, of: ['as before', what] };
    const [outcome, usual]: [Outcome, Outcome] = isFirst ? ['accepted', 'refused'] : ['refused', 'accepted'];
    const [is, was] = isFirst ? words : words.toReversed();
    const known = recall(environment, subject);
    const [before, other] = [known?.[usual], known?.[outcome]];
    const isHabit =
      least > 1 ? (before?.count ?? 0) >= least * (1 + (other?.count ?? 0)) : (before?.last ?? 0) > (other?.last ?? 0);
    if ((isEither || !isFirst) && isHabit) {
      const claim: Claim = `learned: ${exchange.operation} of ${what} is ${was} here`;
      const called = { accepted: words[0], refused: words[1] };
      const habit = {
        subject,
        usual,
        claim,
        observed: `it was ${is}`,
        words: called,
        sentence: isFirst ? undefined : lost,
      };
      throw drift(environment, exchange, habit)?.at(callSite(hold));
    }
    noteOutcome(environment, subject, outcome, exchange.startedAt);
    if (otherwise && !isFirst) throw new Unproven(otherwise);
  };
  const refuses = (response: ApiResponse, what: string) =>
    hold(response, { what, isFirst: response.isRefusal, words: ['refused', 'accepted'] });
  /** Whether a text comes back as it was sent. @throws Unproven where it doesn't, and never did. */
  const keptTitle = (_response: ApiResponse, what: string, _text: string) => `${what} is kept`;
  const keeps = probe(world, keptTitle, async (response: ApiResponse, what: string, text: string) => {
    const isFirst = [...leavesOf(inside(response).json)].some((leaf) => leaf.text === text);
    const otherwise = `${what} is changed, and the specification shows no limits of a text`;
    hold(response, { what, isFirst, words: ['kept', 'changed'], otherwise });
  });
  /** By status, for a service may show what it created, and of an update nothing. */
  const shows = (response: ApiResponse, what: string, text = '') => {
    const about = `${what}, with ${inside(response).status},`;
    hold(response, { what: about, isFirst: inside(response).mentions(text), words: ['shown', 'not shown'] });
  };
  const orders = (response: ApiResponse, older: string, newer: string) => {
    const { text } = inside(response);
    const isFirst = text.indexOf(newer) < text.indexOf(older);
    const words = ['newest first', 'oldest first'] as const;
    hold(response, { what: 'entries', isFirst, isEither: true, words, least: TIMES_THAT_ARE_NO_CHANCE });
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
  return { refuses, keeps, shows, orders, holds: hold, leaves };
}
