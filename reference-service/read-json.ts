import type { IncomingMessage } from 'node:http';
import { assumed } from './assumptions/values.ts';
import { Refusal } from './refusal.ts';

/** The body of a request: JSON, or a text; `undefined` if there is none. @throws Refusal */
export async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const { 'content-type': type, 'content-length': length = '0', 'transfer-encoding': encoding } = incoming.headers;
  if (type === undefined && encoding === undefined && length === '0') return undefined;
  const media = type?.split(';')[0]?.trim().toLowerCase();
  if (media !== 'application/json' && media !== 'text/plain')
    throw new Refusal(
      assumed.unsupportedMediaType,
      'unsupported_media_type',
      'the body must be sent as application/json',
    );
  const text = await textOf(incoming, Number(length));
  if (media === 'text/plain') return text;
  if (text === '') throw new Refusal(assumed.invalidBody, 'invalid_json', 'the body is empty');
  return parsed(text);
}

async function textOf(incoming: IncomingMessage, length: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // What is too large is read all the same: whoever still writes doesn't read why it is refused.
  if (length > assumed.maxBodyBytes) incoming.resume();
  else
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes <= assumed.maxBodyBytes) chunks.push(chunk);
      }
    } catch {
      throw new Refusal(400, 'invalid_json', 'the body breaks off');
    }
  if (Math.max(length, bytes) > assumed.maxBodyBytes)
    throw new Refusal(assumed.bodyTooLarge, 'body_too_large', 'the body is larger than 1 MiB');
  return Buffer.concat(chunks)
    .toString()
    .replace(/^\uFEFF/, '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, /__proto__|\\u|"constructor"/.test(text) ? withoutPrototypes : undefined);
  } catch {
    throw new Refusal(assumed.invalidBody, 'invalid_json', 'the body is not valid JSON');
  }
}

/** Keys that would reach the prototype of an object that is made of them. */
function withoutPrototypes(key: string, value: unknown): unknown {
  const isForbidden = key === '__proto__' || (key === 'constructor' && Object.hasOwn(Object(value), 'prototype'));
  if (isForbidden) throw new SyntaxError(`a forbidden key: ${key}`);
  return value;
}
