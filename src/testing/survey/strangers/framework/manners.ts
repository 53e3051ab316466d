import type { Incoming, Outgoing } from '../serve.ts';
import type { Stock } from '../stock.ts';

/** What differs between services on frameworks with their defaults. */
export interface Manners extends Omit<Stock, 'codes' | 'languages' | 'type' | 'stories'> {
  readonly others: readonly string[];
  readonly story: string;
  /** Options by language, labels by code. */
  readonly options: Readonly<Record<string, Readonly<Record<string, string>>>>;
  error(status: number, what: string, incoming: Incoming): Outgoing;
  /** Statuses: of a body that breaks its schema, of what is not known, and of a change that was made before. */
  readonly statuses: { readonly invalid: number; readonly unknown: number; readonly again?: number };
  /** Reads a text that was given as something else; `undefined` where it must be a text. */
  readonly text: (value: unknown) => string | undefined;
  /** A page of users, newest first; `undefined` where there is none. */
  page(all: readonly string[], n1: number, n2: number, incoming: Incoming): unknown;
  readonly reportsOnce?: true;
  /** Ids are numbers, so that any other text is invalid. */
  readonly countsIds?: true;
  /** Texts of a profile are empty at first, and can't be set to that. */
  readonly noBlanks?: true;
  /** Headers that must hold something. */
  readonly filledHeaders?: readonly string[];
  /** Options in a language that nobody translated are those of the first one. */
  readonly fallsBack?: true;
  /** Requests in each window, of so many ms. */
  readonly rate?: { readonly limit: number; readonly windowMs: number };
}

/** Ids that differ in their number. */
export function numbered(prefix: string, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + from}`);
}
