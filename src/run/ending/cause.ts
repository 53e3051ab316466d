import { counted, listed } from '../../environment/index.ts';
import { hostPhases, type Phase, reasonOfCode } from '../../http/index.ts';
import { type AreaId, areaIds, areaTitle } from '../../service/index.ts';
import type { Drift } from '../../verdict/index.ts';

/**
 * The cause of one or more failures. Kinds:
 * `host`: no address of the host gives a usable response · `address`: one base address gives none, or only server errors ·
 * `credential`: the service refuses a credential · `operation`: one operation fails · `degraded`: slow, or drift that breaks no consumer ·
 * `unjudged`: the suite could not judge, or the environment no longer has the data that scenarios need.
 */
export interface Cause {
  readonly kind: 'host' | 'address' | 'credential' | 'operation' | 'degraded' | 'unjudged';
  /** The origin of the host if the kind is `host`, otherwise the base address of the failing call. Absent if nothing was called. */
  readonly address?: string;
  /** The operation that fails, or the key of the credential that is refused. */
  readonly name?: string;
  /**
   * The phase in which the call ended. `response`: the service sent an error status. `front`: a gateway or proxy before the service denied
   * the call.
   */
  readonly phase?: Phase | 'response' | 'front';
  /**
   * Code of the connection failure (ECONNREFUSED, DEADLINE …), status of the response, or the text with which a gateway denied the call.
   */
  readonly code?: string;
  /** Time limit of the call in ms, if the code is DEADLINE. */
  readonly afterMs?: number;
  /** The areas whose calls are known to fail in the same way, and the base addresses of these areas. */
  readonly areas?: readonly AreaId[];
  readonly addresses?: readonly string[];
  /** If drift is the cause: the questions of the survey whose learned answers no longer hold. */
  readonly asked?: Drift['asked'];
  /**
   * True if the cause may be either the operation or its address, because the run could call no other operation at this address. As soon as
   * a second operation fails in the same way, the address is the cause.
   */
  readonly isOpen?: true;
}

export function hostsOf(cause: Cause): string[] {
  return hostsAt(addressesOf(cause));
}

/** The hosts of some addresses, each once. Each address is parsed once, because an incident has thousands of causes with the same addresses. */
function hostsAt(addresses: readonly string[]): string[] {
  return [...new Set([...new Set(addresses)].map((address) => URL.parse(address)?.hostname ?? address))];
}

export function addressesOf({ addresses, address }: Cause): readonly string[] {
  return addresses ?? [address ?? []].flat();
}

/** The group of a cause: its scenarios are down, degraded (slow, for example), or can't be judged. */
export function familyOf({ kind }: Pick<Cause, 'kind'>): 'down' | 'degraded' | 'unjudged' {
  return kind === 'unjudged' || kind === 'degraded' ? kind : 'down';
}

/**
 * How a call ended, in coarse terms: several operations that fail in the same mode can have one cause. `undefined` if only the operation
 * itself can be the cause.
 */
export function modeOf({ phase, code }: Pick<Cause, 'phase' | 'code'>): string | undefined {
  if (phase === 'response') return Number(code) >= 500 ? 'error' : code === '401' ? 'refused' : undefined;
  if (phase === 'processing' || phase === 'transfer') return 'unanswered';
  return phase === 'dns' ? 'connect' : phase;
}

/** How wide a cause is: 1 for an operation, 2 for an address or a credential, 3 for a host. The widest cause names an incident. */
export function widthOf({ kind }: Cause): number {
  return kind === 'host' ? 3 : kind === 'address' || kind === 'credential' ? 2 : 1;
}

/** Returns the widest cause; if several are equally wide, the first of these. */
export function widest(causes: readonly Cause[]): Cause {
  return causes.reduce((a, b) => (widthOf(b) > widthOf(a) ? b : a));
}

/** The parts of a failure that decide whether another failure has the same cause. */
export interface Failing {
  readonly scenario: { readonly environment: string };
  readonly cause: Cause;
  readonly reason?: string;
}

/** Whether two failures have the same cause. Environments that share a host or an address can share a cause. */
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

/** The form of a verb after one subject, and after several. */
export type Verb = readonly [one: string, several: string];

export type Tense = 'now' | 'was' | 'again';

export const same = (verb: string): Verb => [verb, verb];

const verbs = {
  errors: { now: ['answers', 'answer'], was: same('answered'), again: ['works again', 'work again'] },
  unreached: {
    now: same("can't be reached"),
    was: same("couldn't be reached"),
    again: same('can be reached again'),
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
  // If several operations fail in the same way, the sentence names their address. If only one fails, `describeFailure` names the operation.
  const isOne = new Set(causes.map(({ name }) => name)).size === 1 || codesOf(causes).length === 0;
  if (kind === 'operation' && isOne) return undefined;
  if (phase === 'response') return 'errors';
  return phase === 'front' || hostPhases.includes(phase) ? 'unreached' : 'silent';
}

/**
 * One sentence that says what is broken, was broken, or works again: `Friends answers 503`. If there are several causes, the sentence is
 * about the widest. `areas` are all areas that the causes affect. `undefined` if the cause is an operation, or if nothing could be judged:
 * then the failure itself provides the sentence.
 */
export function sentenceOf(
  causes: readonly Cause[],
  areas: ReadonlySet<AreaId | 'all'>,
  tense: Tense = 'now',
): string | undefined {
  const form = formOf(causes);
  if (form === undefined) return undefined;
  const { kind, name = '', code = '', afterMs } = widest(causes);
  const hosts = hostsAt(causes.flatMap(addressesOf));
  const host = hosts.length === 1 ? hosts[0] : counted(hosts.length, 'host');
  const where = areas.size < areaIds.length ? ` (${areasText(areas)})` : '';
  const after = afterMs === undefined ? '' : ` after ${afterMs / 1_000} s`;
  const parts = {
    credential: [name, false, ` (${code}) in ${areasText(areas)}`],
    errors: [areasText(areas), areas.size > 1, ` ${listed(codesOf(causes).slice(0, 3))}`],
    unreached: [host, hosts.length > 1, `: ${whyLost(code)}${where}`],
    // The sentence names the host instead of its areas if none of these areas responds.
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

/**
 * A text such as `Friends`, `Friends and Stories` or `4 areas`. The text is `several areas` if a failing scenario uses all areas, because
 * such a failure doesn't show which of them are affected.
 */
export function areasText(areas: Iterable<AreaId | 'all'>): string {
  const named = [...new Set(areas)];
  const titles = named.flatMap((area) => (area === 'all' ? [] : areaTitle(area)));
  if (titles.length < named.length) return 'several areas';
  return titles.length > 3 ? counted(titles.length, 'area') : listed(titles);
}
