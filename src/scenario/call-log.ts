import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appendArtifact, type Exchange, header, redact } from '../client/index.ts';
import type { CallableId } from '../spec/index.ts';
import { outputFolder } from './output-folders.ts';

/** One request of a run, as latencies and counts are made of it. */
export interface LoggedCall {
  readonly environment: string;
  readonly operation: CallableId;
  /** Epoch, in ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Absent when there was no usable answer. */
  readonly status?: number;
  /** What the answer's `server` header says of the software behind it. */
  readonly server?: string;
}

/** Where the workers of a run log their calls, a file each. */
export function callLogFolder(): string {
  return join(outputFolder(), 'calls');
}

/** Adds a call to this process's log. */
export function logCall(environment: string, { operation, startedAt, durationMs, response }: Exchange): void {
  const server = response && header(response, 'server');
  const call: LoggedCall = {
    environment,
    operation,
    startedAt,
    durationMs,
    ...(response ? { status: response.status } : {}),
    ...(server ? { server } : {}),
  };
  own ??= ownFile();
  appendArtifact(own, redact(`${JSON.stringify(call)}\n`));
}

/** This process's log. */
let own: string | undefined;

function ownFile(): string {
  mkdirSync(callLogFolder(), { recursive: true });
  return join(callLogFolder(), `${process.pid}.ndjson`);
}

/** Every call that the workers logged. */
export function loggedCalls(): LoggedCall[] {
  const folder = callLogFolder();
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as LoggedCall),
  );
}
