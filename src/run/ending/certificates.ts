import { counted, definedFields } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';

const DAY_MS = 86_400_000;

export interface Certificate {
  /** The server's origin: scheme, host and port. */
  readonly address: string;
  /** The certificate authority whose own certificate expires before the server's. Absent if the server's expires first. */
  readonly authority?: string;
  /** When the certificate expires, as epoch time in ms. */
  readonly validTo: number;
  /** Whole days from now until `validTo`. */
  readonly daysLeft: number;
}

/** The certificates seen in exchanges. If an address showed several, the one that expires first. */
export function certificatesOf(exchanges: readonly Exchange[], now: number): Certificate[] {
  const ends = new Map<string, Pick<Certificate, 'validTo' | 'authority'>>();
  for (const { request, certificateValidTo: validTo, certificateAuthority: authority } of exchanges) {
    if (validTo === undefined) continue;
    const { origin } = new URL(request.url);
    if (validTo < (ends.get(origin)?.validTo ?? Number.POSITIVE_INFINITY))
      ends.set(origin, { validTo, ...definedFields({ authority }) });
  }
  return [...ends].map(([address, end]) => {
    return { address, ...end, daysLeft: Math.floor((end.validTo - now) / DAY_MS) };
  });
}

export function certificateWarnings(certificates: readonly Certificate[], warningDays: number): string[] {
  return certificates
    .filter(({ daysLeft }) => daysLeft < warningDays)
    .map(({ address, authority, validTo, daysLeft }) => {
      const day = new Date(validTo).toISOString().slice(0, 10);
      const whose =
        authority === undefined ? address : `the authority ${JSON.stringify(authority)}, in the chain of ${address},`;
      const when = daysLeft < 0 ? `expired ${counted(-daysLeft, 'day')} ago` : `expires in ${counted(daysLeft, 'day')}`;
      return `the certificate of ${whose} ${when} (${day})`;
    });
}
