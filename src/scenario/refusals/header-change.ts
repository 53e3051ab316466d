import type { ApiResponse, Call } from '../../call/index.ts';
import { type CallableId, type HeaderName, headers, type Operation } from '../../service/index.ts';
import type { Claim } from '../../verdict/index.ts';
import { friendOf } from '../data/data-values.ts';
import type { WorldBasis } from '../data/world-basis.ts';

/** One way to get one header of one operation wrong, and why that must be refused. */
export interface HeaderChange {
  readonly operation: Omit<Operation, 'method' | 'path'> & { readonly id: CallableId };
  readonly header: HeaderName;
  readonly way: 'missing' | 'empty' | 'wrong' | 'another';
  readonly claim: Claim;
}

export async function changed(call: Call, { header, way }: Pick<HeaderChange, 'header' | 'way'>, world: WorldBasis) {
  const { name, kind } = headers[header];
  const { data } = world;
  switch (way) {
    case 'missing':
      return call.without(name);
    case 'empty':
      return call.withHeader(name, '');
    case 'another':
      return call.withHeader(name, (await friendOf(world)).id);
    case 'wrong':
      if (kind !== 'credential') return call.withHeader(name, data.id());
      return call.withHeader(name, `${header === 'authorization' ? 'bearer ' : ''}${data.wrongCredential()}`);
  }
}

/** The question that a change belongs to; `undefined` for a credential, which every service checks. */
export function questionOf({ header, way }: Pick<HeaderChange, 'header' | 'way'>): string | undefined {
  const { name, kind } = headers[header];
  if (kind === 'credential') return undefined;
  return way === 'another' ? 'token-user' : `${way}-header:${name}`;
}

/** A control that was accepted: which operation's, and what it cost for good. */
export interface Control {
  readonly operation: string;
  /** The used-up resource, with its article: `a stored item`. */
  readonly usedUp?: string;
  readonly repeats?: true;
}

/** The controls of a run. */
export const controlsOf = (world: WorldBasis) => world.runLog<Control>('controls');

/** Sends what must be refused; returns the refusal. @throws when it was accepted. */
export type Refused = (args: unknown) => Promise<ApiResponse>;
