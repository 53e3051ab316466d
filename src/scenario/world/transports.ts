import { NodeTransport, type Route, type Transport } from '../../client/index.ts';
import type { AreaId } from '../../spec/index.ts';

type Address = AreaId | 'provisioner';

/** The transports of one environment, with their kept-open connections. */
export interface Transports {
  of(address: Address): Promise<Transport>;
  dispose(): Promise<void>;
}

/** Node's HTTP client for all areas; it separates the connections of each address by itself. */
export function nodeTransports({ route }: { readonly route?: Route } = {}): Transports {
  const transport = new NodeTransport(route);
  return {
    of: async () => transport,
    dispose: async () => transport.close(),
  };
}
