import { counted } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';

const DAY_MS = 86_400_000;

export interface Certificate {
  /** Origin: scheme, host and port. */
  readonly address: string;
  /** Epoch, in ms. */
  readonly validTo: number;
  /** Whole days from `now`. */
  readonly daysLeft: number;
}

/** The certificates seen in exchanges: per address, the one that expires first. */
export function certificatesOf(exchanges: readonly Exchange[], now: number): Certificate[] {
  const ends = new Map<string, number>();
  for (const { request, certificateValidTo } of exchanges) {
    if (certificateValidTo === undefined) continue;
    const { origin } = new URL(request.url);
    ends.set(origin, Math.min(ends.get(origin) ?? Number.POSITIVE_INFINITY, certificateValidTo));
  }
  return [...ends].map(([address, validTo]) => ({
    address,
    validTo,
    daysLeft: Math.floor((validTo - now) / DAY_MS),
  }));
}

export function certificateWarnings(certificates: readonly Certificate[], warningDays: number): string[] {
  return certificates
    .filter(({ daysLeft }) => daysLeft < warningDays)
    .map(({ address, validTo, daysLeft }) => {
      const day = new Date(validTo).toISOString().slice(0, 10);
      return daysLeft < 0
        ? `the certificate of ${address} expired ${counted(-daysLeft, 'day')} ago (${day})`
        : `the certificate of ${address} expires in ${counted(daysLeft, 'day')} (${day})`;
    });
}
