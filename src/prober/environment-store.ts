import { ConfigurationError, type Environment } from '../config/index.ts';

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
  /** As it was when it could be used last. */
  readonly usable?: Environment;
}

/** The environments that are served; their files are read again when they change. */
export class EnvironmentStore {
  readonly #source: EnvironmentSource;
  readonly #say: (line: string) => void;
  #entries = new Map<string, Entry>();

  constructor(source: EnvironmentSource, say: (line: string) => void) {
    this.#source = source;
    this.#say = say;
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  get(name: string): Served | undefined {
    return this.#entries.get(name)?.served;
  }

  /** The environment as it was when it could be used last: what was watched must not vanish because a file broke. */
  usable(name: string): Environment | undefined {
    return this.#entries.get(name)?.usable;
  }

  /** @throws ConfigurationError with every reason when no environment can be probed */
  assertOne(): void {
    const reasons = [...this.#entries.values()].flatMap(({ served }) =>
      served.state === 'ready' ? [] : served.reason,
    );
    if (reasons.length === this.#entries.size) throw new ConfigurationError(reasons.join('\n\n'));
    // What the operator must know of it.
    for (const { served } of this.#entries.values()) {
      const remark = served.state === 'ready' ? served.restriction : served.reason;
      if (remark) this.#say(remark);
    }
  }

  /** Reads what has changed; a run that is under way keeps what it began with. */
  async look(): Promise<void> {
    const next = new Map<string, Entry>();
    for (const name of this.#source.names()) {
      const known = this.#entries.get(name);
      const fingerprint = this.#source.fingerprint(name);
      const entry = known?.fingerprint === fingerprint ? known : await this.#read(name, fingerprint, known);
      next.set(name, entry);
      if (known && entry !== known) this.#say(changeText(name, known.served, entry.served));
    }
    for (const name of this.#entries.keys()) if (!next.has(name)) this.#say(`${name}: no longer served.`);
    if (this.#entries.size > 0)
      for (const name of next.keys()) if (!this.#entries.has(name)) this.#say(`${name}: served from now on.`);
    this.#entries = next;
  }

  async #read(name: string, fingerprint: string, known: Entry | undefined): Promise<Entry> {
    const served = await this.#source.load(name);
    const usable = served.state === 'ready' ? served.environment : known?.usable;
    return { fingerprint, served, ...(usable ? { usable } : {}) };
  }
}

function changeText(name: string, before: Served, now: Served): string {
  if (now.state !== 'ready') return `${name}: its files have changed, and can't be used. ${now.reason}`;
  return before.state === 'ready'
    ? `${name}: its files have changed; the next probe uses the new ones.`
    : `${name}: its files can be used again.`;
}
