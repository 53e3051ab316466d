import type { Stage } from '../../call/index.ts';
import { fetchByRoute, NodeTransport, type Route, shortAnswer, type Transport } from '../../http/index.ts';
import type { AreaId } from '../../service/index.ts';
import type { Ask } from '../data/users.ts';

export interface Transports {
  of(area: AreaId): Promise<Transport>;
  /** Sends a request to the provisioner, a helper of the suite that isn't the service under test. */
  readonly ask: Ask;
  /** Refuses every request of a dry run, before anything is recorded for the request. */
  readonly refused?: Stage;
  dispose(): Promise<void>;
}

/** Node's HTTP client for all areas; it keeps separate connections for each address. */
export function nodeTransports({ route }: { readonly route?: Route } = {}): Transports {
  const transport = new NodeTransport(route);
  return {
    of: async () => transport,
    ask: async (url, request) => {
      const answer = await fetchByRoute(url, request, route);
      const { statusCode: status = 0 } = answer;
      if (status >= 200 && status < 300) return { status, body: await shortAnswer(answer) };
      // For a failure the status is enough, and the rest of the response may never arrive.
      answer.destroy();
      return { status, body: '' };
    },
    dispose: async () => transport.close(),
  };
}
