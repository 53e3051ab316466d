import { counted, listed } from '../../environment/index.ts';
import { hostPhases, type Phase, reasonOfCode } from '../../http/index.ts';
import { type AreaId, areaIds, areaTitle } from '../../service/index.ts';
import type { Drift } from '../../verdict/index.ts';

/**
 * The cause of one or more failures. host: nothing usable comes back from a host · address: the same of one base address, or it answers with errors
 * whatever is asked · credential: it is refused · operation: one operation fails · unjudged: nothing could be judged, or the environment no longer
 * has what scenarios need.
 */
export interface Cause {
  readonly kind: 'host' | 'address' | 'credential' | 'operation' | 'degraded' | 'unjudged';
  /** The base address of the failing call, or the host's origin; absent where nothing was called. */
  readonly address?: string;
  /** The operation, or the key of the credential. */
  readonly name?: string;
  /** Where the call ended; `response`: it was answered, with an error status · `front`: something in front of the service denied it. */
  readonly phase?: Phase | 'response' | 'front';
  /** Code of the connection failure (ECONNREFUSED, DEADLINE …), the status of the response, or how it was denied. */
  readonly code?: string;
  /** With the code DEADLINE: how long the call may take, in ms. */
  readonly afterMs?: number;
  /** The areas known to fail like this, and their distinct base addresses. */
  readonly areas?: readonly AreaId[];
  readonly addresses?: readonly string[];
  /** The questions whose answers no longer hold, where that is what is wrong. */
  readonly asked?: Drift['asked'];
  /** Nothing else of the address could be asked: another operation that fails alike shows that the address is the cause. */
  readonly isOpen?: true;
}

export function hostsOf(cause: Cause): string[] {
  return [...new Set(addressesOf(cause).map((address) => URL.parse(address)?.hostname ?? address))];
}

export function addressesOf({ addresses, address }: Cause): readonly string[] {
  return addresses ?? [address ?? []].flat();
}

/** The family of an incident: scenarios are down, slow or otherwise degraded, or can't be judged. */
export function familyOf({ kind }: Pick<Cause, 'kind'>): 'down' | 'degraded' | 'unjudged' {
  return kind === 'unjudged' || kind === 'degraded' ? kind : 'down';
}

/** The kind of ending that several failures of an address, a host or a credential can share; `undefined` for any other ending. */
export function modeOf({ phase, code }: Pick<Cause, 'phase' | 'code'>): string | undefined {
  if (phase === 'response') return Number(code) >= 500 ? 'error' : code === '401' ? 'refused' : undefined;
  if (phase === 'processing' || phase === 'transfer') return 'unanswered';
  return phase === 'dns' ? 'connect' : phase;
}

/** How far a cause reaches: a wider one names an incident. */
export function widthOf({ kind }: Cause): number {
  return kind === 'host' ? 3 : kind === 'address' || kind === 'credential' ? 2 : 1;
}

/** The widest of some causes; of several, the first. */
export function widest(causes: readonly Cause[]): Cause {
  return causes.reduce((a, b) => (widthOf(b) > widthOf(a) ? b : a));
}

/** A failure, as far as its cause matters. */
export interface Failing {
  readonly scenario: { readonly environment: string };
  readonly cause: Cause;
  readonly reason?: string;
}

/** Whether two failures have one cause. Environments that share a host or an address can share a cause. */
export function isSame(one: Failing, other: Failing): boolean {
  const [a, b] = [one.cause, other.cause];
  const isOneEnvironment = one.scenario.environment === other.scenario.environment;
  if (familyOf(a) !== familyOf(b)) return false;
  if (a.kind === 'unjudged') return isOneEnvironment || (one.reason !== undefined && one.reason === other.reason);
  if (a.kind === 'degraded') return isOneEnvironment && a.address === b.address;
  if (a.kind === 'credential' || b.kind === 'credential')
    return a.kind === b.kind && a.name === b.name && isOneEnvironment;
  const [mode, isNarrow] = [modeOf(a), a.kind === 'operation' && b.kind === 'operation'];
  if (isNarrow && !(a.isOpen && b.isOpen && mode !== undefined)) return a.address === b.address && a.name === b.name;
  if (mode === undefined || mode !== modeOf(b)) return false;
  if (a.kind === 'host' || b.kind === 'host') return haveOneOf(hostsOf(a), hostsOf(b));
  return haveOneOf(addressesOf(a), addressesOf(b)) && (!a.areas || !b.areas || haveOneOf(a.areas, b.areas));
}

function haveOneOf(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.includes(one));
}

/** The verb of a sentence with one subject, and with several subjects. */
export type Verb = readonly [one: string, several: string];

export type Tense = 'now' | 'was' | 'again';

export const same = (verb: string): Verb => [verb, verb];

const verbs = {
  errors: { now: ['answers', 'answer'], was: same('answered'), again: ['works again', 'work again'] },
  unreached: {
    now: same("can't be reached"),
    was: same("couldn't be reached"),
    again: ['answers again', 'answer again'],
  },
  silent: {
    now: ["doesn't respond", "don't respond"],
    was: same("didn't respond"),
    again: ['responds again', 'respond again'],
  },
  credential: { now: same('is refused'), was: same('was refused'), again: same('is accepted again') },
} as const satisfies Record<string, Readonly<Record<Tense, Verb>>>;

function formOf(causes: readonly Cause[]): keyof typeof verbs | undefined {
  const { kind, phase = 'response' } = widest(causes);
  if (familyOf({ kind }) !== 'down') return undefined;
  if (kind === 'credential') return kind;
  // Several operations that end alike are their address.
  const isOne = new Set(causes.map(({ name }) => name)).size === 1 || codesOf(causes).length === 0;
  if (kind === 'operation' && isOne) return undefined;
  if (phase === 'response') return 'errors';
  return phase === 'front' || hostPhases.includes(phase) ? 'unreached' : 'silent';
}

/**
 * One sentence on what is broken, was broken, or works again: `Friends answers 503`. Of several causes, the widest counts; `areas` are those that it
 * reaches. `undefined` where it is an operation, or nothing could be judged: then the failure itself has the sentence.
 */
export function sentenceOf(
  causes: readonly Cause[],
  areas: ReadonlySet<AreaId | 'all'>,
  tense: Tense = 'now',
): string | undefined {
  const form = formOf(causes);
  if (form === undefined) return undefined;
  const { kind, name = '', code = '', afterMs } = widest(causes);
  const hosts = [...new Set(causes.flatMap(hostsOf))];
  const host = hosts.length === 1 ? hosts[0] : counted(hosts.length, 'host');
  const where = areas.size < areaIds.length ? ` (${areasText(areas)})` : '';
  const after = afterMs === undefined ? '' : ` after ${afterMs / 1_000} s`;
  const parts = {
    credential: [name, false, ` (${code}) in ${areasText(areas)}`],
    errors: [areasText(areas), areas.size > 1, ` ${listed(codesOf(causes).slice(0, 3))}`],
    unreached: [host, hosts.length > 1, `: ${whyLost(code)}${where}`],
    // A host is named if all of its areas are silent.
    silent: [
      kind === 'host' ? host : areasText(areas),
      kind === 'host' ? hosts.length > 1 : areas.size > 1,
      ` (${whyLost(code)}${after})`,
    ],
  } as const;
  const [who, isMany, what] = parts[form];
  return `${who} ${verbs[form][tense][isMany ? 1 : 0]}${tense === 'again' ? '' : what}`;
}

function codesOf(causes: readonly Cause[]): string[] {
  return [...new Set(causes.flatMap(({ code }) => code ?? []))].sort();
}

const reasons: Readonly<Record<string, string>> = {
  DEADLINE: 'timed out',
  ECONNRESET: 'connection reset',
  CLOSED: 'connection closed',
};

export function whyLost(code: string): string {
  return reasons[code] ?? reasonOfCode(code) ?? code;
}

/** `Friends`, `Friends and Stories`, `4 areas`; a scenario of all areas says nothing of a single one. */
export function areasText(areas: Iterable<AreaId | 'all'>): string {
  const named = [...new Set(areas)];
  const titles = named.flatMap((area) => (area === 'all' ? [] : areaTitle(area)));
  if (titles.length < named.length) return 'several areas';
  return titles.length > 3 ? counted(titles.length, 'area') : listed(titles);
}
