import type { Environment } from '../../../environment/index.ts';
import { environmentText, loadText } from '../../test-environment.ts';
import { withFolder } from '../surveyed.ts';
import { type House, house } from './house.ts';
import { type StrangerHandler, serve } from './serve.ts';
import { keysOf } from './stock.ts';
import type { Truth } from './truth.ts';

/** A service written from the specification alone, in a different style. */
export interface Stranger {
  readonly make: () => StrangerHandler;
  /** The keys that a team would write into its environment's file, besides the addresses; undefined removes a key, `{url}` is its address. */
  readonly keys: Readonly<Record<string, string | undefined>>;
  readonly truth: Truth;
  readonly style: House;
}

/** A service of a style, its keys in addition to the usual ones, and answers that differ from most strangers. */
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
