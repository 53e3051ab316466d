import { randomBytes, randomUUID } from 'node:crypto';
import { Store } from './database.ts';

export interface User {
  readonly userId: string;
  readonly clientId: string;
  readonly accessToken: string;
}

/** Clients with their API keys, users with their tokens. */
export class UserStore extends Store {
  addClient(clientId: string, apiKey: string): void {
    this.database.run('INSERT OR IGNORE INTO clients VALUES (?, ?)', clientId, apiKey);
  }

  add(user: User): void {
    this.database.run('INSERT OR IGNORE INTO users VALUES (?, ?, ?)', user.userId, user.clientId, user.accessToken);
  }

  /** Creates a fresh user of each of the clients. */
  addFresh(clientIds: readonly string[]): Omit<User, 'clientId'> {
    const user = { userId: `user-${randomUUID()}`, accessToken: `tok_${randomBytes(24).toString('base64url')}` };
    for (const clientId of clientIds) this.add({ ...user, clientId });
    return user;
  }

  /** The user of a token, at `clientId` where it is one of theirs. */
  byToken(accessToken: string, clientId: string): User | undefined {
    return this.database.get<User>(
      'SELECT * FROM users WHERE accessToken = ? ORDER BY clientId = ? DESC, rowid LIMIT 1',
      accessToken,
      clientId,
    );
  }

  exists(userId: string): boolean {
    return this.database.get('SELECT 1 FROM users WHERE userId = ?', userId) !== undefined;
  }

  apiKeyOf(clientId: string): string | undefined {
    return this.database.get<{ apiKey: string }>('SELECT apiKey FROM clients WHERE clientId = ?', clientId)?.apiKey;
  }

  clientOf(apiKey: string): string | undefined {
    return this.database.get<{ clientId: string }>('SELECT clientId FROM clients WHERE apiKey = ?', apiKey)?.clientId;
  }
}
