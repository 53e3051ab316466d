import { ConfigurationError, type Environment } from '../environment/index.ts';

export interface Ready {
  readonly state: 'ready';
  readonly environment: Environment;
  /** Why `environment` allows fewer effects than its file; absent if it allows the same effects. */
  readonly restriction?: string;
}

export type Served =
  | Ready
  /** The files of the environment can't be used. */
  | { readonly state: 'broken'; readonly reason: string }
  /** The files are valid, but a run against the environment needs consent. */
  | { readonly state: 'refused'; readonly reason: string };

export interface EnvironmentSource {
  /** The names of the environments to serve now. */
  names(): readonly string[];
  load(name: string): Promise<Served>;
  /** A text that changes whenever the files of an environment change. */
  fingerprint(name: string): string;
}

interface Entry {
  readonly fingerprint: string;
  readonly served: Served;
  /**
   * The environment at the time when its files were last valid. If a file breaks, the environment's scenarios stay in the list of targets.
   */
  readonly usable: Environment | undefined;
}

export type EnvironmentStore = ReturnType<typeof environmentStore>;

/**
 * A store of the environments that the prober serves. It is empty until the first call of `look`. Each call reads the environments whose
 * files have changed.
 */
export function environmentStore(source: EnvironmentSource, say: (line: string) => void) {
  let entries: ReadonlyMap<string, Entry> = new Map();
  return {
    /** The environments by name. */
    get entries() {
      return entries;
    },
    get names() {
      return [...entries.keys()];
    },
    /**
     * Reports each environment that can't be probed, and each that may be probed only with fewer effects than its file allows.
     * @throws ConfigurationError with every reason if none can be probed
     */
    assertOne(): void {
      const all = [...entries.values()].map(({ served }) => served);
      const reasons = all.flatMap((served) => (served.state === 'ready' ? [] : served.reason));
      if (reasons.length === all.length) throw new ConfigurationError(reasons.join('\n\n'));
      for (const served of all) {
        const remark = served.state === 'ready' ? served.restriction : served.reason;
        if (remark) say(remark);
      }
    },
    /** Reads the environments whose files have changed. A run that has already begun uses the environment as it was. */
    async look(): Promise<void> {
      const before = entries;
      const next = new Map<string, Entry>();
      for (const name of source.names()) {
        const loadedBefore = before.get(name);
        // Compute the fingerprint before loading the environment. If its files change in the meantime, the next `look` notices it.
        const fingerprint = source.fingerprint(name);
        if (loadedBefore?.fingerprint === fingerprint) {
          next.set(name, loadedBefore);
          continue;
        }
        const served = await source.load(name);
        const usable = served.state === 'ready' ? served.environment : loadedBefore?.usable;
        next.set(name, { fingerprint, served, usable });
        const text = served.state === 'ready' ? 'the next probe uses them' : `they can't be used. ${served.reason}`;
        if (before.size > 0) say(`${name}: its files ${loadedBefore ? 'have changed' : 'are new'}; ${text}`);
      }
      for (const name of before.keys()) if (!next.has(name)) say(`${name}: no longer served.`);
      entries = next;
    },
  };
}
