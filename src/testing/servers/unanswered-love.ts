import type { TestContext } from 'node:test';
import type { ownService } from './own-service.ts';
import { startProxy } from './wire-proxy.ts';

/** A proxy that performs each love, but never responds to it. Requests whose path `isSilent` accepts get no response either. */
export async function unansweredLove(
  t: TestContext,
  service: Awaited<ReturnType<typeof ownService>>,
  isSilent: (path: string) => boolean = () => false,
) {
  const { promise: isMade, resolve } = Promise.withResolvers<void>();
  /** The last path segment of each request. */
  const asked: (string | undefined)[] = [];
  const proxy = await startProxy(service, async (request, forward) => {
    asked.push(request.path.split('/').at(-1));
    const reply = await forward(request);
    if (request.path.endsWith('/love')) resolve();
    else if (!isSilent(request.path)) return reply;
    return 'silence';
  });
  t.after(() => proxy.stop());
  return { addresses: proxy.addresses, isMade, asked };
}
