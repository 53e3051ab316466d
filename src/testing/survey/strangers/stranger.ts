import type { Environment } from '../../../environment/index.ts';
import { environmentText, loadText } from '../../test-environment.ts';
import { withFolder } from '../surveyed.ts';
import { type House, house } from './house.ts';
import { type StrangerHandler, serve } from './serve.ts';
import { keysOf } from './stock.ts';
import type { Truth } from './truth.ts';

/** A service that was written from the specification alone, in another style than the reference service. */
export interface Stranger {
  readonly make: () => StrangerHandler;
  /** The keys that a team would write into its environment's file, next to the addresses. `undefined` removes a key; `{url}` becomes the address. */
  readonly keys: Readonly<Record<string, string | undefined>>;
  readonly truth: Truth;
  readonly style: House;
}

/** A stranger with this style. `keys` are added to the keys of the style; `truth` has the answers that differ from most strangers. */
export function strangerOf(
  style: House,
  keys: Stranger['keys'],
  truth: Truth,
  make = (): StrangerHandler => house(style),
): Stranger {
  const all = { ...keysOf(style), ...keys };
  return { make, style, keys: all, truth };
}

/** Runs `work` with a listening stranger, and its environment as a team would describe it. */
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
