import { present } from '../../config/index.ts';
import { hasPassed } from './elapsed.ts';

/** What somebody did about an incident. Times are epochs, in ms. */
export interface IncidentEvent {
  readonly at: number;
  readonly kind: 'note' | 'acknowledged' | 'reopened' | 'muted' | 'unmuted';
  /** The name that they gave. */
  readonly person: string;
  /** A note; empty where nothing was added. */
  readonly text: string;
  /** With `muted`: when notices go on. */
  readonly until?: number;
  /** With `acknowledged`: the last flip that it covers. */
  readonly hit?: number;
}

/** Where an incident stands with the people on call. */
export interface Handling {
  readonly acknowledged?: { readonly person: string; readonly at: number; readonly hit: number };
  readonly muted?: { readonly at: number; readonly until: number };
}

export function afterEvent({ acknowledged, muted }: Handling, event: IncidentEvent): Handling {
  const { kind, person, at, until = at, hit = 0 } = event;
  const taken = kind === 'acknowledged' ? { person, at, hit } : kind === 'reopened' ? undefined : acknowledged;
  const silenced = kind === 'muted' ? { at, until } : kind === 'unmuted' ? undefined : muted;
  return present({ acknowledged: taken, muted: silenced });
}

export function isMutedAt({ muted }: Handling, now: number): boolean {
  return muted !== undefined && !hasPassed(muted.until - muted.at, muted.at, now);
}
