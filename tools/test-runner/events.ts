import { existsSync, readFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import type { Counts } from './work.ts';

/** What the runner must know of a file's tests while they run; one JSON line each. */
export type FileEvent =
  | { readonly type: 'begins' | 'ends'; readonly title: string; readonly nesting: number }
  | { readonly type: 'skipped'; readonly title: string; readonly reason: string }
  | { readonly type: 'failed'; readonly title: string; readonly message: string }
  | ({ readonly type: 'counts' } & Counts);

/** A reporter of Node's test runner. */
export default async function* events(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    const told = fileEvent(event);
    if (told) yield `${JSON.stringify(told)}\n`;
  }
}

function fileEvent({ type, data }: TestEvent): FileEvent | undefined {
  if (type === 'test:dequeue') return { type: 'begins', title: data.name, nesting: data.nesting };
  if (type === 'test:complete') return { type: 'ends', title: data.name, nesting: data.nesting };
  if (type === 'test:pass' && data.skip !== undefined)
    return { type: 'skipped', title: data.name, reason: String(data.skip) };
  if (type === 'test:fail') return { type: 'failed', title: data.name, message: data.details.error.message };
  if (type === 'test:summary') {
    const { tests, passed, skipped, todo } = data.counts;
    return { type: 'counts', passed, failed: tests - passed - skipped - todo, skipped: skipped + todo };
  }
  return undefined;
}

/** The complete lines of a file that this reporter writes, or wrote until it was killed. */
export function eventsIn(file: string): FileEvent[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as FileEvent);
}
