import type { Phase } from '../client/index.ts';

/** blackbox_exporter's names for the phases of an HTTP probe. */
export const blackboxPhases: Readonly<Record<Phase, string>> = {
  dns: 'resolve',
  connect: 'connect',
  tls: 'tls',
  processing: 'processing',
  transfer: 'transfer',
};
