import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import {
  type Exchange,
  isPlainRefusal,
  judge,
  type OutgoingCall,
  parsedJson,
  redact,
  type Stage,
} from '../../client/index.ts';
import {
  appendText,
  fileRoles,
  makeFolder,
  readTextIfAny,
  remove,
  replaceText,
  unlessFileTrouble,
} from '../../config/files/index.ts';
import { counted, type Environment } from '../../config/index.ts';
import { type CallableId, callable, userArguments } from '../../spec/index.ts';
import { memoryFolders } from '../state/output-folders.ts';
import { configuredIn } from './configured-data.ts';

/** Minimum interval between two records of the same outcome, for other processes: this one knows each. */
const FRESH_MS = 300_000;

export type Outcome = 'accepted' | 'refused';

/** What became of requests that are alike, in all runs against an environment. */
export interface Known {
  /** Number of times, and the first and last of them; epoch, in ms. */
  readonly accepted?: Times;
  readonly refused?: Times;
  /** Since when the last outcome has been the same; epoch, in ms. */
  readonly turnedAt: number;
}

interface Times {
  readonly count: number;
  readonly since: number;
  readonly last: number;
}

/** Requests that are alike: `of` names what they were about. */
export interface Subject {
  readonly operation: CallableId;
  readonly of: unknown;
}

/** What is known of the subjects of one environment. Its file has a line for each record, of which the last with an outcome counts for it. */
interface Remembered {
  /** Absent for what is remembered in this process alone. */
  readonly file?: string;
  readonly known: Map<string, Known>;
  /** The last outcome that the file has of each; epoch, in ms. Later ones are only counted yet. */
  readonly written: Map<string, number>;
  lines: number;
}

/** By file, and so by the state folder too: what a dry run's service accepted, in a folder of its own, the real one did not. */
const remembered = new Map<string, Remembered>();

/** So many lines more than subjects make a file begin anew: a monitor writes for ever. */
const MOST_OLD_LINES = 2_000;

/** Remembers across runs which requests with the environment's data, and with invented users, were accepted and refused. */
export function memory(
  environment: Environment,
  isInvented: (id: string) => boolean,
  onAccepted: (subject: Subject) => void = () => {},
): Stage {
  const ended = (call: OutgoingCall, exchange: Exchange) => {
    const isValid = call.changes.size === 0;
    const subject = subjectOf(environment, call.operation.id as CallableId, call.args, { isInvented, isValid });
    if (!subject) return;
    const rule = environment.successWhen;
    if (judge(exchange, 'success', rule) === undefined) {
      noteOutcome(environment, subject, 'accepted', exchange.startedAt);
      if (isValid) onAccepted(subject);
    } else if (isValid && isPlainRefusal(exchange, rule))
      noteOutcome(environment, subject, 'refused', exchange.startedAt);
  };
  return (call) => ({ ended: (exchange) => exchange && ended(call, exchange) });
}

/** Acceptances in scenarios that passed: what a broken service says yes to is no promise. */
export function proven({ operation, of }: Subject): Subject {
  return { operation, of: ['proven', of] };
}

/** How a list without entries is answered: `refused` where it is not found then. */
export function withoutEntries(operation: CallableId): Subject {
  return { operation, of: ['no entries'] };
}

/** Keys that name several things, each as good as the other. */
const listKeys = ['STORED_ITEM_IDS', 'OTHER_USER_IDS'];

/** The subject of a request; `undefined` where all of it is made up, but for users. */
export function subjectOf(
  environment: Environment,
  operation: CallableId,
  args: unknown,
  // Headers that are not the right ones, and are accepted, have their effect all the same.
  { isInvented = (_id: string): boolean => false, isValid = true } = {},
): Subject | undefined {
  const named = configuredIn(environment, args).map(({ key, value }) => (listKeys.includes(key) ? key : [key, value]));
  const given = Object.entries((args ?? {}) as Record<string, unknown>);
  const invented = given.filter(([name, value]) => userArguments.has(name) && isInvented(String(value)));
  if (named.length + invented.length === 0) return undefined;
  return { operation, of: [...named, ...invented.map(([name]) => name), isValid] };
}

export function recall(environment: Environment, subject: Subject): Known | undefined {
  return rememberedOf(environment.name).known.get(keyOf(environment, subject));
}

/** Whether a request with this data was ever accepted, also with headers that the suite changed. */
export function wasEverAccepted(environment: Environment, operation: CallableId, args: unknown): boolean {
  return [true, false].some((isValid) => {
    const subject = subjectOf(environment, operation, args, { isValid });
    return subject !== undefined && recall(environment, subject)?.accepted !== undefined;
  });
}

export function noteOutcome(environment: Environment, subject: Subject, outcome: Outcome, at: number): void {
  const all = rememberedOf(environment.name);
  const key = keyOf(environment, subject);
  const before = all.known.get(key);
  const { count = 0, since = at } = before?.[outcome] ?? {};
  const other = before?.[outcome === 'accepted' ? 'refused' : 'accepted'];
  const isTurn = count === 0 || (other !== undefined && other.last > (before?.[outcome]?.last ?? 0));
  all.known.set(key, {
    turnedAt: at,
    ...before,
    ...(isTurn ? { turnedAt: at } : {}),
    [outcome]: { count: count + 1, since, last: at },
  });
  if (all.file === undefined) return;
  if (!isTurn && at - (all.written.get(key) ?? 0) < FRESH_MS) return;
  const folder = dirname(all.file);
  if (all.lines === 0) unlessFileTrouble(() => makeFolder(folder, fileRoles.state));
  write(all.file, all, [key]);
}

/** `accepted 214 times since 3 November, refused since 11:20`; local time. */
export function historyText({ turnedAt, ...known }: Known, usual: Outcome, now: number): string {
  const times = known[usual];
  const other = usual === 'accepted' ? 'refused' : 'accepted';
  if (!times) return `never ${usual} before`;
  const turned = known[other] && known[other].last > times.last ? `, ${other} since ${clock(turnedAt, now)}` : '';
  return `${usual} ${counted(times.count, 'time')} since ${clock(times.since, now)}${turned}`;
}

/** The same beside a broken expectation that rests on it alone, with what accepts a deliberate change. */
export function learnedText({ name }: Environment, known: Known, usual: Outcome, now: number): string {
  return `${historyText(known, usual, now)}; if that is meant, \`npx sextant survey --env ${name}\` learns it anew`;
}

export function forgetMemory(environment: string): void {
  const file = fileIn(memoryFolders().accepted, environment);
  remove(file, fileRoles.state);
  remembered.delete(file);
}

function rememberedOf(environment: string): Remembered {
  const { accepted, passing } = memoryFolders();
  const all = (passing ?? remembered) as Map<string, Remembered>;
  const file = fileIn(accepted, environment);
  const found = all.get(file) ?? (passing ? read('') : { file, ...read(textOf(file)) });
  all.set(file, found);
  return found;
}

/** Without it, a message is less informative, and what is learned is learned again. */
function textOf(file: string): string {
  return unlessFileTrouble(() => readTextIfAny(file, fileRoles.state)) ?? '';
}

function read(text: string): Remembered {
  const lines = text.split('\n').map(parsedJson).filter(isLine);
  const known = new Map<string, Known>();
  // A process that began earlier may know less of a subject than another one wrote.
  for (const [key, record] of lines) known.set(key, { ...known.get(key), ...record });
  return { known, written: new Map([...known].map(([key, each]) => [key, lastOf(each)])), lines: lines.length };
}

function isLine(value: unknown): value is [key: string, known: Known] {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || typeof value[1] !== 'object') return false;
  const { accepted, refused, turnedAt } = (value[1] ?? {}) as Partial<Known>;
  const areTimes = (times: Partial<Times> | null | undefined) =>
    times === undefined || [times?.count, times?.since, times?.last].every(Number.isFinite);
  return Number.isFinite(turnedAt) && areTimes(accepted) && areTimes(refused);
}

/** One short write, so that the lines of two processes don't mix; one that is lost is no harm, as above. */
function write(file: string, all: Remembered, some: readonly string[]): void {
  all.lines += some.length;
  const isLong = all.lines >= all.known.size + MOST_OLD_LINES;
  if (isLong) takeOver(read(textOf(file)), all);
  const keys = isLong ? [...all.known.keys()] : some;
  const text = redact(keys.map((key) => `${JSON.stringify([key, all.known.get(key)])}\n`).join(''));
  unlessFileTrouble(() => (isLong ? replaceText : appendText)(file, text, fileRoles.state));
  if (isLong) all.lines = keys.length;
  for (const key of keys) all.written.set(key, lastOf(all.known.get(key)));
}

/** What other processes wrote since the file was read would go with its old lines. */
function takeOver({ known }: Remembered, all: Remembered): void {
  for (const [key, theirs] of known) {
    const own = all.known.get(key);
    all.known.set(key, lastOf(theirs) > lastOf(own) ? { ...own, ...theirs } : { ...theirs, ...own });
  }
}

function lastOf(known: Known | undefined): number {
  return Math.max(known?.accepted?.last ?? 0, known?.refused?.last ?? 0);
}

// A short run has no second interval to count in.
process.once('exit', writeCounts);

/** Writes what was only counted, unless its folder has gone: that of a dry run or of a drill is removed with all that it learned. */
export function writeCounts(): void {
  for (const [file, all] of remembered) {
    const counted = [...all.known].filter(([key, known]) => lastOf(known) > (all.written.get(key) ?? 0));
    if (counted.length > 0)
      write(
        file,
        all,
        counted.map(([key]) => key),
      );
  }
}

function keyOf({ addresses, caller }: Environment, { operation, of }: Subject): string {
  // At another address, it is another service.
  const key = JSON.stringify([operation, addresses[callable(operation).area].href, caller.userId, of]);
  return hash('sha256', key).slice(0, 24);
}

const fileIn = (folder: string, environment: string) => join(folder, `${environment}.jsonl`);

/** The time of day, or the date and the time where that isn't today's; local. */
function clock(at: number, now: number): string {
  const [date, time = ''] = local(at);
  return date === local(now)[0] ? time : `${date} ${time}`;
}

/** In Swedish, a time is 2026-11-03 09:12. */
const local = (at: number) => new Date(at).toLocaleString('sv-SE').slice(0, 16).split(' ');
