import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from '../config/index.ts';

/**
 * Why a request may come from a foreign web page in a browser of this machine: such a page can make it send a GET, and with that a probe.
 * `undefined` for everything else. `listening` is the host that the server listens on.
 */
export function originProblem(headers: IncomingHttpHeaders, listening: string): string | undefined {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'none' && site !== 'same-origin') return 'Web pages may not ask a prober.';
  const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  // On a loopback address, another host name would be DNS rebinding by a foreign site.
  if (isLoopbackHost(unbracketed(listening)) && !isLoopbackHost(unbracketed(name)))
    return `This prober listens on ${listening} and answers under that name alone; --listen changes the address.`;
  return undefined;
}

function unbracketed(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
