import { randomUUID } from 'node:crypto';
import type { RequestBody } from '../../schemas/index.ts';
import { Store } from './database.ts';

export type AvatarRecord = RequestBody<'avatar'> & { readonly avatarId: string };

/** One avatar per client and owner (specification, part 4, rule 1). */
export class AvatarStore extends Store {
  get(clientId: string, userId: string): AvatarRecord | undefined {
    const row = this.database.get<{ avatarId: string; record: string }>(
      'SELECT avatarId, record FROM avatars WHERE clientId = ? AND userId = ?',
      clientId,
      userId,
    );
    return row && { avatarId: row.avatarId, ...(JSON.parse(row.record) as RequestBody<'avatar'>) };
  }

  /** Adds or updates; an update keeps the avatar's id. */
  save(clientId: string, userId: string, record: RequestBody<'avatar'>): void {
    this.database.run(
      `INSERT INTO avatars VALUES (?, ?, ?, ?) ON CONFLICT (clientId, userId) DO UPDATE SET record = excluded.record`,
      clientId,
      userId,
      `avatar-${randomUUID()}`,
      JSON.stringify(record),
    );
  }
}
