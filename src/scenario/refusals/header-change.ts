import type { ApiResponse, Call, Claim } from '../../client/index.ts';
import {
  type CallableId,
  type HeaderName,
  type HeaderQuestion,
  headerChanges,
  headers,
  type Operation,
} from '../../spec/index.ts';
import type { WorldWithData } from '../data/data-values.ts';
import type { Subject } from '../data/memory.ts';

type HeaderWay = (typeof headerChanges)[HeaderQuestion];

/** One way to get one header of one operation wrong, and why that must be refused. */
export interface HeaderChange {
  readonly operation: Omit<Operation, 'method' | 'path'> & { readonly id: CallableId };
  readonly header: HeaderName;
  readonly way: HeaderWay;
  readonly claim: Claim;
}

export async function changed(call: Call, { header, way }: Pick<HeaderChange, 'header' | 'way'>, world: WorldWithData) {
  const { name, kind } = headers[header];
  const { data } = world;
  switch (way) {
    case 'missing':
      return call.without(name);
    case 'empty':
      return call.withHeader(name, '');
    case 'another':
      return call.withHeader(name, (await world.value('friend')).id);
    case 'wrong':
      if (kind !== 'credential') return call.withHeader(name, data.id());
      return call.withHeader(name, `${header === 'authorization' ? 'bearer ' : ''}${data.wrongCredential()}`);
  }
}

export function headerSubject({ operation, header, way }: HeaderChange): Subject {
  return { operation: operation.id, of: [header, way] };
}

/** The open question that a change belongs to; `undefined` for a credential, which every reading has checked. */
export function questionOf({ header, way }: Pick<HeaderChange, 'header' | 'way'>): HeaderQuestion | undefined {
  if (headers[header].kind === 'credential') return undefined;
  return (Object.keys(headerChanges) as HeaderQuestion[]).find((question) => headerChanges[question] === way);
}

/** A control that was accepted: which operation's, and what it cost for good. */
export interface Control {
  readonly operation: string;
  /** The used-up resource, with its article: `a stored item`. */
  readonly usedUp?: string;
  readonly repeats?: true;
}

export interface HeaderOutcome extends Pick<HeaderChange, 'header' | 'way'> {
  readonly operation: CallableId;
  readonly outcome: 'refused' | 'accepted';
}

/** The controls of a run, and how changed headers ended in it. */
export const controlsOf = (world: WorldWithData) => world.runLog<Control>('controls');
export const outcomesOf = (world: WorldWithData) => world.runLog<HeaderOutcome>('headers');

/** Sends what must be refused; returns the refusal. @throws when it was accepted. */
export type Refused = (args: unknown) => Promise<ApiResponse>;
