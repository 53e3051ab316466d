import { Store } from './database.ts';

/** Design types by client, name and version. */
export class TypeStore extends Store {
  add(clientId: string, name: string, version: string, isDefault: boolean): void {
    if (isDefault) this.database.run('UPDATE types SET isDefault = 0 WHERE clientId = ? AND name = ?', clientId, name);
    this.database.run('INSERT OR IGNORE INTO types VALUES (?, ?, ?, ?)', clientId, name, version, isDefault ? 1 : 0);
  }

  has(clientId: string, name: string, version?: string): boolean {
    if (version === undefined)
      return this.database.get('SELECT 1 FROM types WHERE clientId = ? AND name = ?', clientId, name) !== undefined;
    return (
      this.database.get(
        'SELECT 1 FROM types WHERE clientId = ? AND name = ? AND version = ?',
        clientId,
        name,
        version,
      ) !== undefined
    );
  }

  defaultVersion(clientId: string, name: string): string | undefined {
    const sql = 'SELECT version FROM types WHERE clientId = ? AND name = ? AND isDefault = 1';
    return this.database.get<{ version: string }>(sql, clientId, name)?.version;
  }
}
