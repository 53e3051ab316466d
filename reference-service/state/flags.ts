import { Store } from './database.ts';

interface Flag {
  readonly value: string;
  /** The only platform it is active on; null means all. */
  readonly platform: string | null;
}

/** Feature flags. */
export class FlagStore extends Store {
  add(key: string, { value, platform }: Flag): void {
    this.database.run('INSERT OR IGNORE INTO flags VALUES (?, ?, ?)', key, value, platform);
  }

  get(key: string): Flag | undefined {
    return this.database.get<Flag>('SELECT value, platform FROM flags WHERE key = ?', key);
  }
}
