import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fieldsIn, isPlainRefusal, judge, type Middleware, redact } from '../../client/index.ts';
import { fileRoles, isThere, readTextIfAny, remove, replaceText } from '../../config/files/index.ts';
import { counted, type Environment } from '../../config/index.ts';
import { type CallableId, callable, userArguments } from '../../spec/index.ts';
import { memoryFolders } from '../state/output-folders.ts';
import { unlessFileTrouble } from '../state/unless-file-trouble.ts';
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

/** By the state folder too: what a dry run's service accepted, in a folder of its own, the real one did not. */
const recalled = new Map<string, Known | undefined>();
const written = new Map<string, number>();
const unwritten = new Map<string, Known>();

/** Remembers across runs which requests with the environment's data, and with invented users, were accepted and refused. */
export function memory(
  environment: Environment,
  isInvented: (id: string) => boolean,
  onAccepted: (subject: Subject) => void = () => {},
): Middleware {
  return async (call, next) => {
    const exchange = await next(call);
    const isValid = call.changes.size === 0;
    const subject = subjectOf(environment, call.operation.id as CallableId, call.args, { isInvented, isValid });
    if (!subject) return exchange;
    const rule = environment.successWhen;
    if (judge(exchange, 'success', rule) === undefined) {
      noteOutcome(environment, subject, 'accepted', exchange.startedAt);
      if (isValid) onAccepted(subject);
    } else if (isValid && isPlainRefusal(exchange, rule))
      noteOutcome(environment, subject, 'refused', exchange.startedAt);
    return exchange;
  };
}

interface Circumstance {
  readonly isInvented?: (id: string) => boolean;
  /** The headers are the right ones; others that are accepted have their effect all the same. */
  readonly isValid?: boolean;
}

/** Acceptances in scenarios that passed: what a broken service says yes to is no promise. */
export function proven({ operation, of }: Subject): Subject {
  return { operation, of: ['proven', of] };
}

/** Keys that name several things, each as good as the other. */
const listKeys = ['STORED_ITEM_IDS', 'OTHER_USER_IDS'];

/** The subject of a request; `undefined` where all of it is made up, but for users. */
export function subjectOf(
  environment: Environment,
  operation: CallableId,
  args: unknown,
  { isInvented = () => false, isValid = true }: Circumstance = {},
): Subject | undefined {
  const named = configuredIn(environment, args).map(({ key, value }) => (listKeys.includes(key) ? key : [key, value]));
  const given = Object.entries((args ?? {}) as Record<string, unknown>);
  const invented = given.filter(([name, value]) => userArguments.has(name) && isInvented(String(value)));
  if (named.length + invented.length === 0) return undefined;
  return { operation, of: [...named, ...invented.map(([name]) => name), isValid] };
}

/** What is remembered of a subject, this run's requests included. */
export function recall(environment: Environment, subject: Subject): Known | undefined {
  const file = fileOf(environment, subject);
  const { passing } = memoryFolders();
  if (passing?.has(file)) return passing.get(file) as Known;
  if (!recalled.has(file)) recalled.set(file, read(file));
  return recalled.get(file);
}

/** Whether a request with this data was ever accepted, also with headers that the suite changed. */
export function wasEverAccepted(environment: Environment, operation: CallableId, args: unknown): boolean {
  return [true, false].some((isValid) => {
    const subject = subjectOf(environment, operation, args, { isValid });
    return subject !== undefined && recall(environment, subject)?.accepted !== undefined;
  });
}

export function noteOutcome(environment: Environment, subject: Subject, outcome: Outcome, at: number): void {
  const file = fileOf(environment, subject);
  const before = recall(environment, subject);
  const { count = 0, since = at } = before?.[outcome] ?? {};
  const other = before?.[outcome === 'accepted' ? 'refused' : 'accepted'];
  const isTurn = count === 0 || (other !== undefined && other.last > (before?.[outcome]?.last ?? 0));
  const now: Known = {
    turnedAt: at,
    ...before,
    ...(isTurn ? { turnedAt: at } : {}),
    [outcome]: { count: count + 1, since, last: at },
  };
  const { passing } = memoryFolders();
  if (passing) return void passing.set(file, now);
  recalled.set(file, now);
  unwritten.set(file, now);
  if (isTurn || at - (written.get(file) ?? Number.NEGATIVE_INFINITY) >= FRESH_MS) write(file, at);
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

/** Forgets everything about an environment: what is the case now is learned anew. */
export function forgetMemory(environment: string): void {
  remove(folderOf(environment), fileRoles.accepted);
  for (const known of [recalled, written, unwritten])
    for (const file of [...known.keys()]) if (file.startsWith(join(folderOf(environment), '/'))) known.delete(file);
}

function read(file: string): Known | undefined {
  try {
    const found = fieldsIn(readTextIfAny(file, fileRoles.accepted));
    return isKnown(found) ? found : undefined;
  } catch {
    // Without it, a message is less informative, and what is learned is learned again.
    return undefined;
  }
}

function isKnown(value: object): value is Known {
  const { accepted, refused, turnedAt } = value as Partial<Known>;
  const areTimes = (times: Partial<Times> | null | undefined) =>
    times === undefined || [times?.count, times?.since, times?.last].every(Number.isFinite);
  return Number.isFinite(turnedAt) && areTimes(accepted) && areTimes(refused);
}

function write(file: string, at: number): void {
  const known = unwritten.get(file);
  unwritten.delete(file);
  written.set(file, at);
  try {
    replaceText(file, redact(JSON.stringify(known)), fileRoles.accepted);
  } catch {
    // As above.
  }
}

// A short run has no second interval to count in.
process.once('exit', writeCounts);

/** Writes what was only counted, unless its folder has gone: that of a dry run or of a drill is removed with all that it learned. */
export function writeCounts(): void {
  for (const file of [...unwritten.keys()])
    if (unlessFileTrouble(() => isThere(dirname(file), fileRoles.accepted))) write(file, 0);
}

function fileOf(environment: Environment, { operation, of }: Subject): string {
  // At another address, it is another service.
  const key = JSON.stringify([
    operation,
    environment.addresses[callable(operation).area].href,
    environment.caller.userId,
    of,
  ]);
  return join(folderOf(environment.name), hash('sha256', key).slice(0, 24));
}

function folderOf(environment: string): string {
  return join(memoryFolders().accepted, environment);
}

/** The time of day, or the date and the time where that isn't today's. */
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
