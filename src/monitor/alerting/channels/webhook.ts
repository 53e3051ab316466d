import { createHmac } from 'node:crypto';
import type { ChannelType } from '../channel.ts';
import { longSecret, optional, required, webAddress } from '../keys.ts';
import { postJson } from '../post-json.ts';

/**
 * The notice as JSON. With a secret, `X-Sextant-Signature: t=<seconds>,v1=<hex>` signs `<seconds>.<body>` with
 * HMAC-SHA-256; the time lets a receiver reject replays.
 */
export const webhook: ChannelType = {
  keys: {
    WEBHOOK_URL: required(webAddress, 'address that receives each notice as a JSON POST'),
    WEBHOOK_SECRET: optional(longSecret, 'key that signs the notices (HMAC-SHA-256), at least 16 characters'),
  },
  open:
    ({ WEBHOOK_URL = '', WEBHOOK_SECRET }) =>
    async (notice, sending) => {
      const body = JSON.stringify(notice);
      const signature = WEBHOOK_SECRET && { 'x-sextant-signature': sign(body, WEBHOOK_SECRET, sending.now) };
      await postJson(WEBHOOK_URL, body, signature || {}, sending);
    },
};

/** `now` is an epoch, in ms. */
export function sign(body: string, secret: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
