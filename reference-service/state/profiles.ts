import { Store } from './database.ts';

export interface ProfileRecord {
  readonly name: string;
  readonly status: string;
  readonly url: string;
  readonly gender: number;
}

const fresh: ProfileRecord = { name: '', status: '', url: '', gender: 0 };

/** Users' profiles, empty until the first update. */
export class ProfileStore extends Store {
  get(userId: string): ProfileRecord {
    const row = this.database.get<{ record: string }>('SELECT record FROM profiles WHERE userId = ?', userId);
    return row ? (JSON.parse(row.record) as ProfileRecord) : fresh;
  }

  save(userId: string, record: ProfileRecord): void {
    this.database.run('INSERT OR REPLACE INTO profiles VALUES (?, ?)', userId, JSON.stringify(record));
  }
}
