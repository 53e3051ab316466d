import { NodeTransport, type Transport } from '../client/index.ts';
import type { AreaId } from '../spec/index.ts';

type Address = AreaId | 'provisioner';

/** The transports of one environment, and the connections that they keep open. */
export interface Transports {
  of(address: Address): Promise<Transport>;
  dispose(): Promise<void>;
}

/** Node's own HTTP client for all areas: it keeps the connections of each address apart by itself. */
export function nodeTransports(): Transports {
  const transport = new NodeTransport();
  return {
    of: async () => transport,
    dispose: async () => transport.close(),
  };
}
