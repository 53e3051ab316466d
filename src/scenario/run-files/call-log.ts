import { join } from 'node:path';
import { appendText, fileRoles, listFolder, makeFolder, readText } from '../../environment/files/index.ts';
import { curlLine, type Exchange, header, isUnconnected, parsedJson } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import type { AreaId, CallableId } from '../../service/index.ts';
import { outputFiles } from './output-folders.ts';

/** A call as JSON, without the texts of its request and response. */
export interface CallEntry {
  readonly operation: CallableId;
  readonly area: AreaId;
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Absent without a usable response. */
  readonly status?: number;
  /** The call had no connection, so the service saw no request. */
  readonly unconnected?: true;
  /** The response's `server` header. */
  readonly server?: string;
}

export interface LoggedCall extends CallEntry {
  readonly environment: string;
}

export function callEntry(exchange: Exchange): CallEntry {
  const { operation, area, startedAt, durationMs, response } = exchange;
  const server = response && header(response, 'server');
  return {
    ...{ operation, area, startedAt, durationMs },
    ...(response ? { status: response.status } : {}),
    ...(isUnconnected(exchange) ? { unconnected: true } : {}),
    ...(server ? { server } : {}),
  };
}

export function logCall(environment: string, exchange: Exchange): void {
  const call: LoggedCall = { environment, ...callEntry(exchange) };
  const { calls } = outputFiles();
  makeFolder(calls, fileRoles.output);
  appendText(join(calls, `${process.pid}.ndjson`), redact(`${JSON.stringify(call)}\n`), fileRoles.output);
}

export function loggedCalls(): LoggedCall[] {
  const folder = outputFiles().calls;
  return listFolder(folder, fileRoles.output).flatMap((file) =>
    readText(join(folder, file), fileRoles.output)
      .split('\n')
      // A killed worker or a full disk may leave half a line, which is skipped.
      .flatMap((line) => (parsedJson(line) as LoggedCall | undefined) ?? []),
  );
}

/** The names of the attachments that the report shows first for a failed test. */
export const FAILING_CALL = 'failing call';
export const ALL_CALLS = 'all calls as a script';

/** The exchanges in order. Equal requests in a row become one entry, with the last response and the number of requests. */
export function folded(made: readonly Exchange[]): { readonly exchange: Exchange; readonly times: number }[] {
  const all: { exchange: Exchange; times: number }[] = [];
  for (const exchange of made) {
    const last = all.at(-1);
    if (!last || curlLine(last.exchange.request) !== curlLine(exchange.request)) all.push({ exchange, times: 1 });
    else Object.assign(last, { exchange, times: last.times + 1 });
  }
  return all;
}

/** The calls of a scenario as a shell script, with credentials masked. Equal calls in a row are listed once. */
export function callScript(exchanges: readonly Exchange[]): string {
  const calls = folded(exchanges).flatMap(({ exchange: { request, response, failure, operation } }) => [
    `# ${operation} → ${response ? response.status : (failure?.reason ?? 'no response')}`,
    curlLine(request),
  ]);
  return ['#!/bin/sh', '# Put your own credentials in place of ***.', ...calls].join('\n');
}

/** The name of a call's attachment; it begins with the operation. */
export function exchangeTitle(operation: string, rest: string): string {
  return `${operation}: ${rest}`;
}
