import type { IncomingMessage } from 'node:http';

/** Status line and headers of a response, with the caller's secrets masked. */
export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  /** In the received order; a name may occur twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): ResponseHead {
  const headers: [name: string, value: string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.push([rawHeaders[index] as string, rawHeaders[index + 1] as string]);
  return { status: statusCode ?? 0, statusText: statusMessage ?? '', headers };
}
