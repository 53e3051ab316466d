import { present } from '../../config/index.ts';

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
}

/** Where an incident stands with the people on call. */
export interface Handling {
  readonly acknowledged?: { readonly person: string; readonly at: number };
  readonly mutedUntil?: number;
}

export function afterEvent({ acknowledged, mutedUntil }: Handling, event: IncidentEvent): Handling {
  const { kind, person, at, until } = event;
  const taken = kind === 'acknowledged' ? { person, at } : kind === 'reopened' ? undefined : acknowledged;
  const muted = kind === 'muted' ? until : kind === 'unmuted' ? undefined : mutedUntil;
  return present({ acknowledged: taken, mutedUntil: muted });
}

export function isMutedAt({ mutedUntil }: Handling, now: number): boolean {
  return mutedUntil !== undefined && now < mutedUntil;
}
