import type { Environment } from '../../../environment/index.ts';
import { environmentText, loadText } from '../../test-environment.ts';
import { withFolder } from '../surveyed.ts';
import { type House, house } from './house.ts';
import { type StrangerHandler, serve } from './serve.ts';
import { keysOf } from './stock.ts';
import type { Truth } from './truth.ts';

/** A test service that was written from the specification alone, in another style than the reference service. */
export interface Stranger {
  readonly make: () => StrangerHandler;
  /** The keys of a team's environment file, without the addresses. `undefined` removes a key; `{url}` becomes the service's address. */
  readonly keys: Readonly<Record<string, string | undefined>>;
  readonly truth: Truth;
  readonly style: House;
}

/**
 * Makes a test service from its style. `keys`: further keys of its environment; `truth`: answers that differ from those of most test
 * services.
 */
export function strangerOf(
  style: House,
  keys: Stranger['keys'],
  truth: Truth,
  make = (): StrangerHandler => house(style),
): Stranger {
  const all = { ...keysOf(style), ...keys };
  return { make, style, keys: all, truth };
}

/** Runs `work` while a test service listens, with its environment as a team would describe it. */
export function withStranger<T>(
  { make, keys }: Stranger,
  work: (environment: Environment, folder: string) => Promise<T>,
): Promise<T> {
  return withFolder(async (folder) => {
    const { url, stop } = await serve(make());
    try {
      const text = environmentText(url, keys).replaceAll('{url}', url);
      return await work(loadText('stranger', text), folder);
    } finally {
      await stop();
    }
  });
}
