import { DatabaseSync } from 'node:sqlite';

const tables = `
  CREATE TABLE IF NOT EXISTS clients (clientId TEXT PRIMARY KEY, apiKey TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS users (
    userId TEXT NOT NULL, clientId TEXT NOT NULL, accessToken TEXT NOT NULL,
    PRIMARY KEY (userId, clientId), UNIQUE (accessToken, clientId)
  );
  CREATE TABLE IF NOT EXISTS blocks (
    blocker TEXT NOT NULL, blocked TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (blocker, blocked)
  );
  CREATE TABLE IF NOT EXISTS stories (storyId TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS loves (userId TEXT NOT NULL, storyId TEXT NOT NULL, PRIMARY KEY (userId, storyId));
  CREATE TABLE IF NOT EXISTS reports (
    reportId TEXT PRIMARY KEY, userId TEXT NOT NULL, storyId TEXT NOT NULL, reports TEXT NOT NULL, message TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS types (
    clientId TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL, isDefault INTEGER NOT NULL,
    PRIMARY KEY (clientId, name, version)
  );
  CREATE TABLE IF NOT EXISTS avatars (
    clientId TEXT NOT NULL, userId TEXT NOT NULL, avatarId TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (clientId, userId)
  );
  CREATE TABLE IF NOT EXISTS profiles (userId TEXT PRIMARY KEY, record TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS flags (key TEXT PRIMARY KEY, value TEXT NOT NULL, platform TEXT);
  CREATE TABLE IF NOT EXISTS items (itemId TEXT PRIMARY KEY, owner TEXT NOT NULL);
`;

/** SQLite's result code for a file that isn't such a database. */
const NOTADB = 26;

type Parameter = string | number | null;

/** A thin layer over SQLite: caches prepared statements, returns rows as plain records. */
export class ServiceDatabase {
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  /** Creates `file` if it doesn't exist; ":memory:" keeps nothing. */
  constructor(file: string) {
    this.#sqlite = new DatabaseSync(file);
    try {
      this.#refuseForeign();
      // Write-ahead logging keeps every committed change when the process is killed.
      this.#sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 2000;');
      this.#sqlite.exec(tables);
    } catch (error) {
      this.#sqlite.close();
      throw error;
    }
  }

  all<Row>(sql: string, ...parameters: Parameter[]): Row[] {
    return this.#prepare(sql).all(...parameters) as Row[];
  }

  get<Row>(sql: string, ...parameters: Parameter[]): Row | undefined {
    return this.#prepare(sql).get(...parameters) as Row | undefined;
  }

  /** Runs a change; returns the number of changed rows. */
  run(sql: string, ...parameters: Parameter[]): number {
    return Number(this.#prepare(sql).run(...parameters).changes);
  }

  close(): void {
    this.#sqlite.close();
  }

  /** A database of another program is not added to. */
  #refuseForeign(): void {
    const known = this.all<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table'`);
    if (known.length === 0 || known.some(({ name }) => name === 'clients')) return;
    throw Object.assign(new Error('it holds the tables of another program'), { errcode: NOTADB });
  }

  #prepare(sql: string) {
    const statement = this.#statements.get(sql) ?? this.#sqlite.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** What is kept in a database. */
export class Store {
  protected readonly database: ServiceDatabase;

  constructor(database: ServiceDatabase) {
    this.database = database;
  }
}
