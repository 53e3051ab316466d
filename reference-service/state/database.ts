import { DatabaseSync, type StatementSync } from 'node:sqlite';

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

/** SQLite's result code for a file that isn't an SQLite database. */
const NOTADB = 26;

/** Opens a state file, and creates it if it doesn't exist. With ":memory:", nothing is stored. */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    refuseForeign(database);
    // With write-ahead logging, every committed change survives a kill of the process, also without a flush for each change.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;');
    database.exec(tables);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Rejects the database of another program, so that this service adds nothing to it. */
function refuseForeign(database: DatabaseSync): void {
  const known = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
  if (known.length === 0 || known.some(({ name }) => name === 'clients')) return;
  throw Object.assign(new Error('it holds the tables of another program'), { errcode: NOTADB });
}

type Value = string | number | null;

/** The rows of a table, in the order in which they were added. */
export class Table<Row extends { readonly [column in keyof Row]: Value }> {
  readonly #database: DatabaseSync;
  readonly #name: string;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, name: string) {
    this.#database = database;
    this.#name = name;
  }

  /** Adds a row. If there is a row with the same key, that row stays unchanged. */
  add(row: Row): void {
    this.#insert('IGNORE', row);
  }

  /** Adds a row, or replaces the row with the same key. */
  save(row: Row): void {
    this.#insert('REPLACE', row);
  }

  all(where: Partial<Row>): Row[] {
    return this.#statement('SELECT *', where, ' ORDER BY rowid').all(...valuesOf(where)) as unknown as Row[];
  }

  find(where: Partial<Row>): Row | undefined {
    return this.#statement('SELECT *', where, ' ORDER BY rowid LIMIT 1').get(...valuesOf(where)) as Row | undefined;
  }

  remove(where: Partial<Row>): void {
    this.#statement('DELETE', where).run(...valuesOf(where));
  }

  #insert(otherwise: string, row: Row): void {
    const columns = Object.keys(row);
    const sql = `INSERT OR ${otherwise} INTO ${this.#name} (${columns}) VALUES (${columns.map(() => '?')})`;
    this.#prepared(sql).run(...valuesOf(row));
  }

  #statement(verb: string, where: Partial<Row>, order = ''): StatementSync {
    const conditions = Object.keys(where).map((column) => `${column} = ?`);
    return this.#prepared(`${verb} FROM ${this.#name} WHERE ${conditions.join(' AND ')}${order}`);
  }

  #prepared(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function valuesOf(row: object): Value[] {
  return Object.values(row);
}
