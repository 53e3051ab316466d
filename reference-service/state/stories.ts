import { randomUUID } from 'node:crypto';
import { Store } from './database.ts';

interface Report {
  readonly userId: string;
  readonly storyId: string;
  readonly reports: readonly string[];
  readonly message: string;
}

/** Stories with their loves and reports. */
export class StoryStore extends Store {
  add(storyId: string): void {
    this.database.run('INSERT OR IGNORE INTO stories VALUES (?)', storyId);
  }

  exists(storyId: string): boolean {
    return this.database.get('SELECT 1 FROM stories WHERE storyId = ?', storyId) !== undefined;
  }

  love(userId: string, storyId: string): void {
    this.database.run('INSERT OR IGNORE INTO loves VALUES (?, ?)', userId, storyId);
  }

  unlove(userId: string, storyId: string): void {
    this.database.run('DELETE FROM loves WHERE userId = ? AND storyId = ?', userId, storyId);
  }

  loveCount(storyId: string): number {
    return this.database.get<{ n: number }>('SELECT count(*) AS n FROM loves WHERE storyId = ?', storyId)?.n ?? 0;
  }

  /** Stores a report and returns its id. */
  report({ userId, storyId, reports, message }: Report): string {
    const reportId = `report-${randomUUID()}`;
    this.database.run(
      'INSERT INTO reports VALUES (?, ?, ?, ?, ?)',
      reportId,
      userId,
      storyId,
      JSON.stringify(reports),
      message,
    );
    return reportId;
  }
}
