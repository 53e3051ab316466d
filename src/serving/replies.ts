import type { PageResponse } from './http-server.ts';

export function typed(type: string, body: PageResponse['body']): PageResponse {
  return { headers: { 'content-type': type }, body };
}

export function json(value: object): PageResponse {
  return typed('application/json; charset=utf-8', JSON.stringify(value));
}

export function plain(status: number, text: string): PageResponse {
  return { status, ...typed('text/plain; charset=utf-8', text) };
}
