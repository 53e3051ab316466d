import { type APIRequestContext, request } from '@playwright/test';
import type { AreaId } from '../spec/index.ts';

/** The request contexts of one environment, made when they are first needed: one for each base address. */
export class Contexts {
  readonly #made = new Map<string, Promise<APIRequestContext>>();

  of(address: AreaId | 'provisioner'): Promise<APIRequestContext> {
    // An explicit header map: inside the runner a context without one takes over the project's headers.
    const context = this.#made.get(address) ?? request.newContext({ extraHTTPHeaders: {} });
    this.#made.set(address, context);
    return context;
  }

  async dispose(): Promise<void> {
    const made = [...this.#made.values()];
    this.#made.clear();
    await Promise.all(made.map(async (context) => (await context).dispose()));
  }
}
