import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { assertRegularFile, fileRoles, guarded } from '../../environment/files/index.ts';
import { ConfigurationError } from '../../environment/index.ts';
import { redact } from '../../redaction/index.ts';
import { type Release, tryLock } from '../../safety/index.ts';
import { APPLICATION_ID, EARLIER_IDS, SCHEMA, VERSION } from './schema.ts';
import { troubleOf } from './sqlite-trouble.ts';

export type Row = Readonly<Record<string, SQLInputValue>>;

/** The columns that hold JSON. A column has the same name as the field that it stores. */
const jsonColumns = new Set(['standing', 'phases', 'exchange', 'cause', 'told']);

/** SQLite copies the write-ahead log into the file whenever the log has this many pages of 4 kB. */
const LOG_PAGES = 100;

/** The history file. All SQL statements go through this class, because it converts errors of SQLite to plain messages. */
export class HistoryDatabase {
  readonly file: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * @throws ConfigurationError if a newer Sextant or another program wrote the file, or it is locked or damaged; the file stays unchanged.
   * @throws FileTrouble
   */
  constructor(file: string, { readOnly = false } = {}) {
    this.file = file;
    assertRegularFile(file, fileRoles.data, { readOnly });
    // SQLite would take an empty file, such as a truncated history, for a new database. Then nobody would notice the loss.
    if (guarded(file, fileRoles.data, 'read', () => statSync(file, { throwIfNoEntry: false }))?.size === 0)
      throw new ConfigurationError(
        `${file} is empty: its history is lost. Put a copy back, or remove the file to begin a new history.`,
      );
    this.#db = this.#plainly(() => new DatabaseSync(file, { readOnly, timeout: 5_000 }));
    try {
      this.#plainly(() => this.#prepare(readOnly));
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** Identifies this history. Idempotency keys contain it, so that the keys of two monitors always differ. */
  get instance(): string {
    return String(this.get(`SELECT value FROM meta WHERE name = 'instance'`)?.value);
  }

  /** Runs `work` in a transaction: if `work` throws, the file stays unchanged. */
  transaction<T>(work: () => T): T {
    this.run('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  get<T = Row>(sql: string, ...values: SQLInputValue[]): T | undefined {
    return this.all<T>(sql, ...values)[0];
  }

  /** Rows as objects. If a column is NULL, its field is absent. */
  all<T = Row>(sql: string, ...values: SQLInputValue[]): T[] {
    return this.#plainly(() =>
      this.#statement(sql)
        .all(...values)
        .map((row) => fieldsOf(row as Row) as T),
    );
  }

  /**
   * Returns the rows of a query one by one, because all rows of a large table together would take too much memory. If a column is NULL, its
   * field is null.
   * @throws SQLite's own errors
   */
  iterate(sql: string): Iterable<Row> {
    return this.#db.prepare(sql).iterate() as Iterable<Row>;
  }

  /** Runs a statement, and redacts every text in `values`. Returns the id of the inserted row. */
  run(sql: string, ...values: SQLInputValue[]): number {
    const clean = values.map((value) => (typeof value === 'string' ? redact(value) : value));
    return Number(this.#plainly(() => this.#statement(sql).run(...clean)).lastInsertRowid);
  }

  /** Adds a row. Stores an object as JSON, and `undefined` as NULL. Returns the id of the row. */
  insert(table: string, row: object, verb = 'INSERT'): number {
    const columns = Object.keys(row).map((name) => `"${name}"`);
    const values = Object.values(row).map((value) =>
      value === true ? 1 : value && typeof value === 'object' ? JSON.stringify(value) : (value ?? null),
    );
    const places = columns.map(() => '?').join(', ');
    return this.run(`${verb} INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...values);
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #prepare(readOnly: boolean): void {
    const pragma = (name: string) => Number(Object.values(this.#db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
    const version = pragma('user_version');
    const unchanged = 'The file is unchanged.';
    const isEmpty = this.#db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables === 0;
    const id = pragma('application_id');
    if (EARLIER_IDS.includes(id))
      throw new ConfigurationError(
        `${this.file} was written by a Sextant before 1.0, and is not read any more. ${unchanged} Choose another --data folder.`,
      );
    if (id === APPLICATION_ID && version > VERSION)
      throw new ConfigurationError(
        `${this.file} was written by a newer Sextant: it has file version ${version}, this Sextant supports up to ${VERSION}. ${unchanged} Update Sextant, or choose another --data folder.`,
      );
    if (!isEmpty && id !== APPLICATION_ID)
      throw new ConfigurationError(`${this.file} is not a monitor history. ${unchanged} Choose another --data folder.`);
    if (readOnly) return;
    // With NORMAL, a commit survives the end of this process, even a crash. FULL would also survive a power cut, but would block the
    // process at each commit until the disk has stored it.
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    // When the log has LOG_PAGES pages, SQLite copies it into the file. With SQLite's default of a thousand pages, the copying may block
    // the process for a tenth of a second.
    this.#db.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    if (!isEmpty) return;
    this.transaction(() => {
      this.#db.exec(SCHEMA);
      this.#db.exec(`PRAGMA user_version = ${VERSION}; PRAGMA application_id = ${APPLICATION_ID}`);
      this.run(`INSERT INTO meta VALUES ('instance', ?)`, randomUUID());
    });
  }

  #plainly<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw troubleOf(error, this.file);
    }
  }
}

function fieldsOf(row: Row): Row {
  const there = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(
    there.map(([name, value]) => [name, jsonColumns.has(name) ? JSON.parse(String(value)) : value]),
  );
}

/**
 * Makes this process the only monitor of a data folder. The operating system holds the lock, so the lock ends with the process, even if
 * somebody kills it. Readers such as `history export` don't need the lock.
 * @throws ConfigurationError if another monitor holds the lock. @throws FileTrouble
 */
export function lockFolder(file: string): Release {
  const release = tryLock(file, fileRoles.data);
  if (release) return release;
  throw new ConfigurationError(
    `Another monitor is using this data folder (${file} is locked). Stop it, or choose another --data folder.`,
  );
}
