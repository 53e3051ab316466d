import { randomUUID } from 'node:crypto';
import { Store } from './database.ts';

/** Stored items and their owners. */
export class ItemStore extends Store {
  add(owner: string, itemId = `item-${randomUUID()}`): string {
    this.database.run('INSERT OR IGNORE INTO items VALUES (?, ?)', itemId, owner);
    return itemId;
  }

  /** The items of a user, in the order in which they were added. */
  of(owner: string): string[] {
    const rows = this.database.all<{ itemId: string }>(
      'SELECT itemId FROM items WHERE owner = ? ORDER BY rowid',
      owner,
    );
    return rows.map(({ itemId }) => itemId);
  }

  ownerOf(itemId: string): string | undefined {
    return this.database.get<{ owner: string }>('SELECT owner FROM items WHERE itemId = ?', itemId)?.owner;
  }

  remove(itemId: string): void {
    this.database.run('DELETE FROM items WHERE itemId = ?', itemId);
  }
}
