import { present } from '../../config/index.ts';

/** An action of a person on an incident. Times are epochs, in ms. */
export interface IncidentEvent {
  readonly at: number;
  readonly kind: 'note' | 'acknowledged' | 'reopened';
  /** The name that they gave. */
  readonly person: string;
  /** A note; empty where nothing was added. */
  readonly text: string;
  /** With `acknowledged`: the last flip that it covers. */
  readonly hit?: number;
}

/** Where an incident stands with the people on call. */
export interface Handling {
  readonly acknowledged?: { readonly person: string; readonly at: number; readonly hit: number };
}

export function afterEvent({ acknowledged }: Handling, event: IncidentEvent): Handling {
  const { kind, person, at, hit = 0 } = event;
  const taken = kind === 'acknowledged' ? { person, at, hit } : kind === 'reopened' ? undefined : acknowledged;
  return present({ acknowledged: taken });
}
