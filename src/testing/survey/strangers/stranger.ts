import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../../config/index.ts';
import { environmentText, loadText } from '../../test-environment.ts';
import { type StrangerHandler, serve } from './serve.ts';

/**
 * The true answers for a stranger, in the survey's words: the first row whose operations (`*`, or names with spaces between) and
 * question match. Every question of a survey must have one.
 */
export type Truth = readonly (readonly [operations: string, question: RegExp, answer: string | RegExp])[];

/** A service written from the specification alone, in a different style. */
export interface Stranger {
  /** A fresh instance, without shared state. */
  readonly make: () => StrangerHandler;
  /** The keys that a team would write into its environment's file, besides the addresses; undefined removes a key, `{url}` is its address. */
  readonly keys: Readonly<Record<string, string | undefined>>;
  readonly truth: Truth;
}

/** The true answer to a question about an operation. */
export function truthOf({ truth }: Stranger, operation: string, question: string): string | RegExp | undefined {
  return truth.find(
    ([operations, of]) => (operations === '*' || operations.split(' ').includes(operation)) && of.test(question),
  )?.[2];
}

/** Runs `work` with a listening stranger, and its environment as a team would describe it. */
export async function withStranger<T>(
  { make, keys }: Stranger,
  work: (environment: Environment, folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-stranger-'));
  const { SEXTANT_OUTPUT: before } = process.env;
  process.env.SEXTANT_OUTPUT = join(folder, 'output');
  const { url, stop } = await serve(make());
  try {
    const text = environmentText(url, keys).replaceAll('{url}', url);
    return await work(loadText('stranger', text), folder);
  } finally {
    if (before === undefined) delete process.env.SEXTANT_OUTPUT;
    else process.env.SEXTANT_OUTPUT = before;
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
