import { createHmac } from 'node:crypto';
import type { ChannelType } from '../channel.ts';
import { longSecret, optional, required, webAddress } from '../keys.ts';
import { postJson } from '../post-json.ts';

/**
 * The notice as JSON, signed as Standard Webhooks has it. `X-Sextant-Signature: t=<seconds>,v1=<hex>`, the header of earlier
 * versions, is sent for one more release.
 */
export const webhook: ChannelType = {
  keys: {
    WEBHOOK_URL: required(webAddress, 'address that receives each notice as a JSON POST'),
    WEBHOOK_SECRET: optional(longSecret, 'key that signs the notices (Standard Webhooks), at least 16 characters'),
  },
  open:
    ({ WEBHOOK_URL = '', WEBHOOK_SECRET }) =>
    async (notice, sending) => {
      const body = JSON.stringify(notice);
      const { key, now } = sending;
      const headers = WEBHOOK_SECRET && {
        ...standardHeaders({ id: key, body, secret: WEBHOOK_SECRET, now }),
        'x-sextant-signature': earlierSignature(body, WEBHOOK_SECRET, now),
      };
      await postJson(WEBHOOK_URL, body, headers || {}, sending);
    },
};

/** `now` is an epoch, in ms. */
function earlierSignature(body: string, secret: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

interface Signed {
  /** Identifies the message: the same at every attempt. */
  readonly id: string;
  readonly body: string;
  /** `whsec_` and base64, or any other text, whose bytes are the key. */
  readonly secret: string;
  /** Epoch, in ms. */
  readonly now: number;
}

/** The headers of Standard Webhooks 1.0: the id, the time, and their signature together with the body. */
function standardHeaders({ id, body, secret, now }: Signed): Readonly<Record<string, string>> {
  const seconds = Math.floor(now / 1000);
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}

const PREFIX = 'whsec_';

function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
}
