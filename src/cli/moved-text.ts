import type { Ports } from '../../reference-service/index.ts';

/** Where an embedded service listens whose ports were in use. */
export function movedText(wanted: Ports, taken: Ports): string {
  return `Ports ${range(wanted)} are in use, so the embedded service listens on ${range(taken)}.`;
}

function range(ports: Ports): string {
  const all = Object.values(ports).filter((port) => port > 0);
  return `${Math.min(...all)}–${Math.max(...all)}`;
}
