import { Store } from './database.ts';

interface BlockEntry {
  readonly userId: string;
  /** ISO 8601. */
  readonly blockedAt: string;
}

/** Blocks between users. Lists are newest first. */
export class BlockStore extends Store {
  /** Blocking twice keeps the first time. */
  add(blocker: string, blocked: string, at: Date): void {
    this.database.run('INSERT OR IGNORE INTO blocks VALUES (?, ?, ?)', blocker, blocked, at.toISOString());
  }

  remove(blocker: string, blocked: string): void {
    this.database.run('DELETE FROM blocks WHERE blocker = ? AND blocked = ?', blocker, blocked);
  }

  blockedBy(blocker: string, offset: number, limit: number): BlockEntry[] {
    const sql =
      'SELECT blocked AS userId, at AS blockedAt FROM blocks WHERE blocker = ? ORDER BY rowid DESC LIMIT ? OFFSET ?';
    return this.database.all<BlockEntry>(sql, blocker, limit, offset);
  }

  blockersOf(blocked: string, offset: number, limit: number): BlockEntry[] {
    const sql =
      'SELECT blocker AS userId, at AS blockedAt FROM blocks WHERE blocked = ? ORDER BY rowid DESC LIMIT ? OFFSET ?';
    return this.database.all<BlockEntry>(sql, blocked, limit, offset);
  }
}
