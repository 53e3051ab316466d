import { ConfigurationError, type Environment } from '../environment/index.ts';

export interface Ready {
  readonly state: 'ready';
  readonly environment: Environment;
  /** Why it allows less than its file does. */
  readonly restriction?: string;
}

export type Served =
  | Ready
  /** Its files can't be used. */
  | { readonly state: 'broken'; readonly reason: string }
  /** Its files are well, but a run against it needs consent. */
  | { readonly state: 'refused'; readonly reason: string };

export interface EnvironmentSource {
  /** The names of those to serve, as of now. */
  names(): readonly string[];
  load(name: string): Promise<Served>;
  /** Changes with the files of an environment. */
  fingerprint(name: string): string;
}

interface Entry {
  readonly fingerprint: string;
  readonly served: Served;
  /** As it was when it could be used last: what was watched must not vanish because a file broke. */
  readonly usable: Environment | undefined;
}

export type EnvironmentStore = ReturnType<typeof environmentStore>;

/** The environments that are served, none yet; their files are read again when they change. */
export function environmentStore(source: EnvironmentSource, say: (line: string) => void) {
  let entries: ReadonlyMap<string, Entry> = new Map();
  return {
    /** By name. */
    get entries() {
      return entries;
    },
    get names() {
      return [...entries.keys()];
    },
    /** @throws ConfigurationError with every reason when no environment can be probed */
    assertOne(): void {
      const all = [...entries.values()].map(({ served }) => served);
      const reasons = all.flatMap((served) => (served.state === 'ready' ? [] : served.reason));
      if (reasons.length === all.length) throw new ConfigurationError(reasons.join('\n\n'));
      // Texts for the operator.
      for (const served of all) {
        const remark = served.state === 'ready' ? served.restriction : served.reason;
        if (remark) say(remark);
      }
    },
    /** Reads what has changed; a run that is under way keeps what it began with. */
    async look(): Promise<void> {
      const before = entries;
      const next = new Map<string, Entry>();
      for (const name of source.names()) {
        const loadedBefore = before.get(name);
        // Before it is loaded: what changes meanwhile is seen at the next look.
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
