import { Deadline, type RoutedRequest, type SessionContext, SuiteFault } from '../../client/index.ts';
import { counted } from '../../config/index.ts';

export interface ProvisionedUser {
  readonly userId: string;
  readonly accessToken: string;
}

/** The provisioner failed, so the suite can't judge: a problem on our side, never the service's. */
export class ProvisionFailed extends SuiteFault {
  override readonly name = 'ProvisionFailed';
  override readonly category = 'unknown';
  override readonly outside = 'provisioner';
}

interface Way {
  /** Sends a request to it, on the environment's route. */
  readonly ask: (url: URL, request: RoutedRequest) => Promise<Response>;
  readonly timeoutMs: number;
  readonly correlation: SessionContext['correlation'];
}

/** Asks PROVISION_URL for fresh users and stored items; docs/provisioning.md has its contract. */
export class Provisioner {
  readonly #url: URL;
  readonly #way: Way;

  constructor(url: URL, way: Way) {
    this.#url = url;
    this.#way = way;
  }

  async users(count: number): Promise<ProvisionedUser[]> {
    const { users } = await this.#ask<{ users: ProvisionedUser[] }>('users', { count });
    const isComplete =
      Array.isArray(users) &&
      users.length === count &&
      users.every(({ userId, accessToken }) => isText(userId) && isText(accessToken));
    if (!isComplete)
      throw new ProvisionFailed(
        `${this.#url.href}users did not return exactly ${counted(count, 'user')} with userId and accessToken`,
      );
    return users;
  }

  async items(userId: string, count: number): Promise<string[]> {
    const { itemIds } = await this.#ask<{ itemIds: string[] }>('items', { userId, count });
    if (!Array.isArray(itemIds) || itemIds.length !== count)
      throw new ProvisionFailed(`${this.#url.href}items did not return exactly ${counted(count, 'item id')}`);
    return itemIds;
  }

  async #ask<T>(what: string, body: object): Promise<T> {
    const url = new URL(what, this.#url);
    const { ask, correlation, timeoutMs } = this.#way;
    const limit = new Deadline(timeoutMs);
    const headers = { 'content-type': 'application/json', accept: 'application/json', ...correlation() };
    try {
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal: limit.signal };
      const response = await ask(url, request);
      if (!response.ok) throw new ProvisionFailed(`POST ${url} returned status ${response.status}`);
      const json: unknown = await response.json();
      if (typeof json === 'object' && json !== null) return json as T;
      throw new TypeError('not a JSON object');
    } catch (error) {
      // The library's message would contain the whole log of the call.
      if (error instanceof ProvisionFailed) throw error;
      throw new ProvisionFailed(
        `POST ${url} did not respond as a provisioner must (PROVISION_URL, docs/provisioning.md)`,
      );
    } finally {
      limit.end();
    }
  }
}

/** A token that isn't a string would cause a runtime error that shows it. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
