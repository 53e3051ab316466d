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
  /** Absent where all scenarios of the notice are of one environment. */
  readonly environment?: string;
  readonly title: string;
  readonly since: UtcTime;
  readonly isOpen: boolean;
  /** Of one that is not open any more: how it left the incident, e.g. `has recovered`. */
  readonly ending?: string;
}

/** Besides the kinds of incidents: `expiring` for a credential, and `test`. */
type Kind = NoticeKind | 'expiring' | 'test';

/** An alert: the same for every channel, and the webhook's body unchanged. */
export interface Notice {
  readonly kind: Kind;
  /** The same for all notices of one incident. */
  readonly incident: string;
  /** The one that failed first: the same in all notices of an incident. */
  readonly environment: string;
  /** Base addresses that don't respond, or answer with errors whatever is asked, where that is what is wrong. */
  readonly addresses?: readonly string[];
  /** All that the notice is about, where there are several. */
  readonly environments?: readonly string[];
  readonly cause: Cause;
  readonly headline: string;
  readonly at: UtcTime;
  readonly since: UtcTime;
  readonly until?: UtcTime;
  readonly durationMs: Milliseconds;
  /** With `up`: nobody looked for a while, so that it may have lasted for less. */
  readonly isAtMost?: boolean;
  /** At most 50, those that are still down first. */
  readonly scenarios: readonly NoticeScenario[];
  /** How many more there are; absent: none. */
  readonly furtherScenarios?: Count;
  /** `down` and `more` of the incident that this channel did not get since the last notice that it took. */
  readonly undelivered?: readonly Kind[];
  /** Where something that was learned no longer holds: the commands that accept all of that, one for each environment. */
  readonly accept?: readonly string[];
  /** The runbook: RUNBOOK_URL at the section for this kind of failure, otherwise the incident. */
  readonly runbook?: string;
  readonly link: string;
}

export interface NoticeContext {
  readonly instance: string;
  /** Base address of the page, with a trailing slash. */
  readonly pageUrl: string;
  /** The runbook, with sections named as in docs/alerts.md; absent: the incident's page. */
  readonly runbookUrl?: string | undefined;
  /** Epoch, in ms. */
  readonly now: number;
  /** The same by the steady clock. */
  readonly steady: number;
  /** Everything that is down: one command accepts what no longer holds there, in other incidents too. */
  readonly allOpen: readonly Flip[];
}

/** A notice that is about no incident; `now` and `until` are epochs, in ms. */
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

/** One host that many environments share can have thousands of scenarios. */
const MOST_SCENARIOS = 50;
const MOST_ADDRESSES = 50;

/** A notice of an incident in words: what is down first, then what has ended. */
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
    // Pagers know an incident by it: it is the same in all of its notices.
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

/** The commands for the environments in which one of `hits` is about something that no longer holds; `undefined` without any. */
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

/** The alert of Prometheus' rules that says the same: one runbook serves both. */
function sectionOf(hits: readonly Flip[]): string {
  const { kind, phase = 'response' } = widest(hits.map(({ cause }) => cause));
  if (kind === 'unjudged') return 'sextantnotjudged';
  if (kind === 'degraded') return 'sextantslow';
  if (kind === 'operation' || phase === 'response') return 'sextantscenariofailing';
  return kind === 'host' ? 'sextantenvironmentunreachable' : 'sextantareaunreachable';
}
