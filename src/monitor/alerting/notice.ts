import { definedFields } from '../../environment/index.ts';
import {
  acceptingCommand,
  addressesOf,
  type Cause,
  type Count,
  type Milliseconds,
  type UtcTime,
  widest,
} from '../../run/index.ts';
import type { DueNotice, NoticeKind } from '../status/due-notice.ts';
import type { Flip } from '../status/flip.ts';
import type { Incident } from '../status/incident.ts';
import { endingText, environmentsOf, headlineOf, lastedOf } from './wording.ts';

interface NoticeScenario extends Pick<Flip, 'area' | 'verdict' | 'grade' | 'reason' | 'curl'> {
  /** Absent if all scenarios of the notice are in the same environment. */
  readonly environment?: string;
  readonly title: string;
  readonly since: UtcTime;
  readonly isOpen: boolean;
  /** How the scenario left the incident, e.g. `has recovered`; absent if the scenario is still in the incident. */
  readonly ending?: string;
}

/** The kind of a notice: one of the kinds about incidents; `expiring` for a credential or a certificate; `test`. */
type Kind = NoticeKind | 'expiring' | 'test';

/** A notice. It is the same for every channel, and the webhook gets it unchanged as its body. */
export interface Notice {
  readonly kind: Kind;
  /** The id of the incident. All notices about the incident have the same id. */
  readonly incident: string;
  /** The environment that failed first. All notices about the incident name the same environment. */
  readonly environment: string;
  /** Base addresses that don't respond, or respond to every request with errors. Absent if the failure doesn't affect a whole address. */
  readonly addresses?: readonly string[];
  /** All environments that the notice is about; absent if there is only one. */
  readonly environments?: readonly string[];
  readonly cause: Cause;
  readonly headline: string;
  readonly at: UtcTime;
  readonly since: UtcTime;
  readonly until?: UtcTime;
  readonly durationMs: Milliseconds;
  /** Only in notices of the kind `up`. True if no run was judged for a while, so the failure may have been shorter than `durationMs`. */
  readonly isAtMost?: boolean;
  /** At most 50 scenarios: first those that are still in the incident, then those that have left it. */
  readonly scenarios: readonly NoticeScenario[];
  /** The number of further scenarios; absent if there are none. */
  readonly furtherScenarios?: Count;
  /**
   * The kinds (`down`, `more`) of the notices about the incident that the monitor has tried to send to this channel without success, since
   * the last notice that reached the channel.
   */
  readonly undelivered?: readonly Kind[];
  /**
   * Set if the service no longer behaves as a survey or a run found out: the commands that accept its new behaviour, one for each
   * environment.
   */
  readonly accept?: readonly string[];
  /** The section of RUNBOOK_URL for this kind of failure. Without RUNBOOK_URL, the incident's page. */
  readonly runbook?: string;
  readonly link: string;
}

export interface NoticeContext {
  readonly instance: string;
  /** Base address of the page, with a trailing slash. */
  readonly pageUrl: string;
  /** The runbook, with sections named as in docs/runbook.md. If absent, notices link to the incident's page instead. */
  readonly runbookUrl?: string | undefined;
  /** Epoch, in ms. */
  readonly now: number;
  /** The moment `now` on the monotonic clock, in ms. */
  readonly steady: number;
  /** All scenarios that are in any incident now, because the command to accept new behaviour applies to all scenarios of an environment. */
  readonly allOpen: readonly Flip[];
}

/** A notice without an incident; `now` and `until` are epochs, in ms. */
export function noticeOfNone(
  of: Pick<Notice, 'kind' | 'incident' | 'environment' | 'headline' | 'link'>,
  address: string,
  now: number,
  until = now,
): Notice {
  const at = iso(now);
  const times = { at, since: at, until: iso(until), durationMs: 0 };
  return { ...of, ...times, cause: { kind: 'address', address }, scenarios: [] };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/**
 * The most scenarios and addresses in a notice. If many environments share a host, a notice could otherwise list thousands of scenarios.
 */
const MOST_SCENARIOS = 50;
const MOST_ADDRESSES = 50;

/**
 * Composes a notice about an incident. The notice lists first the scenarios that are still in the incident, and then those that have left
 * it.
 */
export function composeNotice(
  incident: Incident,
  due: DueNotice,
  { instance, pageUrl, runbookUrl, now, steady, allOpen }: NoticeContext,
): Notice {
  const { id, environment } = incident;
  const { kind, open, ended } = due;
  const link = `${pageUrl}incidents/${id}`;
  const { ms: durationMs, isAtMost } = lastedOf(due, steady);
  const out = open.filter(({ cause }) => cause.kind === 'host' || cause.kind === 'address');
  const shown: { readonly hit: Flip; readonly ending?: string }[] = [
    ...open.map((hit) => ({ hit })),
    ...ended.map((one) => ({ hit: one.hit, ending: endingText(one.how) })),
  ];
  const about = shown.map(({ hit }) => hit);
  const environments = environmentsOf(about);
  const began = about.reduce((a, b) => (b.steady < a.steady ? b : a));
  return {
    kind,
    incident: `${instance}-${id}`,
    environment,
    ...(environments.length > 1 ? { environments } : {}),
    ...(out.length > 0
      ? { addresses: [...new Set(out.flatMap(({ cause }) => addressesOf(cause)))].slice(0, MOST_ADDRESSES) }
      : {}),
    // Pagers identify an incident by its cause, so the cause is the same in all of its notices.
    cause: incident.hits[0]?.cause ?? widest(about.map(({ cause }) => cause)),
    headline: headlineOf(due, steady),
    at: iso(now),
    since: iso(began.since),
    ...(kind === 'up' ? { until: iso(began.since + durationMs), ...(isAtMost ? { isAtMost } : {}) } : {}),
    durationMs,
    scenarios: shown.slice(0, MOST_SCENARIOS).map(({ hit, ending }) => {
      const { scenario, area, verdict, grade, reason, curl } = hit;
      const of = environments.length > 1 ? scenario : { title: scenario.title };
      // A scenario that has left the incident no longer fails, so leave out its grade, reason and curl command.
      const evidence = { area, verdict, ...definedFields(ending === undefined ? { grade, reason, curl } : {}) };
      return { ...of, ...evidence, since: iso(hit.since), isOpen: ending === undefined, ...definedFields({ ending }) };
    }),
    ...(shown.length > MOST_SCENARIOS ? { furtherScenarios: shown.length - MOST_SCENARIOS } : {}),
    ...definedFields({ accept: acceptingCommands(open, allOpen) }),
    runbook: runbookUrl ? `${runbookUrl}#${sectionOf(about)}` : link,
    link,
  };
}

/**
 * The commands that accept the new behaviour of the service, one for each environment in `hits`; `undefined` if no failure in `hits` comes
 * from a new behaviour.
 */
export function acceptingCommands(hits: readonly Flip[], allOpen: readonly Flip[]): readonly string[] | undefined {
  const drifted = hits.filter(({ cause }) => cause.asked);
  const found = environmentsOf(drifted).flatMap((name) => {
    const all = allOpen.filter(({ scenario }) => scenario.environment === name);
    return (
      acceptingCommand(
        name,
        all.map(({ cause: { asked = [] } }) => ({ asked })),
      ) ?? []
    );
  });
  return found.length > 0 ? found : undefined;
}

/**
 * The section of the runbook for this kind of failure. It has the name of an alert in our alert rules for Prometheus, so that one runbook
 * is enough for notices and for these alerts.
 */
function sectionOf(hits: readonly Flip[]): string {
  const { kind, phase = 'response' } = widest(hits.map(({ cause }) => cause));
  if (kind === 'unjudged') return 'sextantnotjudged';
  if (kind === 'degraded') return 'sextantslow';
  if (kind === 'operation' || phase === 'response') return 'sextantscenariofailing';
  return kind === 'host' ? 'sextantenvironmentunreachable' : 'sextantareaunreachable';
}
