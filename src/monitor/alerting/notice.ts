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

/** The kinds of notices about incidents; `expiring` for a credential or a certificate; and `test`. */
type Kind = NoticeKind | 'expiring' | 'test';

/** A notice: the same for every channel. The webhook receives it unchanged as its body. */
export interface Notice {
  readonly kind: Kind;
  /** The id of the incident, which is the same in all of its notices. */
  readonly incident: string;
  /** The environment that failed first, which is the same in all notices of an incident. */
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
  /** With `up`: no run was judged for a while, so the failure may have been shorter than `durationMs`. */
  readonly isAtMost?: boolean;
  /** At most 50 scenarios. Those that are still in the incident come first. */
  readonly scenarios: readonly NoticeScenario[];
  /** The number of further scenarios; absent if there are none. */
  readonly furtherScenarios?: Count;
  /** The kinds (`down`, `more`) of the notices about the incident that did not reach this channel, since the last notice that did. */
  readonly undelivered?: readonly Kind[];
  /** If the service no longer does what a survey or a run learned: the commands that accept its new behaviour, one for each environment. */
  readonly accept?: readonly string[];
  /** The runbook: RUNBOOK_URL at the section for this kind of failure, otherwise the incident's page. */
  readonly runbook?: string;
  readonly link: string;
}

export interface NoticeContext {
  readonly instance: string;
  /** Base address of the page, with a trailing slash. */
  readonly pageUrl: string;
  /** The runbook, with sections named as in docs/runbook.md; absent: the incident's page. */
  readonly runbookUrl?: string | undefined;
  /** Epoch, in ms. */
  readonly now: number;
  /** The same moment on the monotonic clock, in ms. */
  readonly steady: number;
  /**
   * All scenarios that are in any incident now. The command to accept new behaviour covers the whole environment, and so other incidents,
   * too.
   */
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

/** If many environments share a host, a notice could list thousands of scenarios. */
const MOST_SCENARIOS = 50;
const MOST_ADDRESSES = 50;

/** Composes a notice about an incident. It lists the scenarios that are still in the incident first, then those that have left it. */
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
      // A scenario that has left the incident no longer has this failure.
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
 * The commands that accept the new behaviour of the service, one for each environment in `hits`; `undefined` if the service still does what
 * was learned.
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

/** The section of the runbook. It has the name of the corresponding alert in the rules for Prometheus, so that one runbook serves both. */
function sectionOf(hits: readonly Flip[]): string {
  const { kind, phase = 'response' } = widest(hits.map(({ cause }) => cause));
  if (kind === 'unjudged') return 'sextantnotjudged';
  if (kind === 'degraded') return 'sextantslow';
  if (kind === 'operation' || phase === 'response') return 'sextantscenariofailing';
  return kind === 'host' ? 'sextantenvironmentunreachable' : 'sextantareaunreachable';
}
