import { createHmac } from 'node:crypto';
import { type ChannelType, longSecret, optional, posting, required, webAddress } from '../channel.ts';

/** The notice as JSON, signed as Standard Webhooks has it. */
export const webhook: ChannelType = posting(
  {
    WEBHOOK_URL: required(webAddress, 'address that receives each notice as a JSON POST'),
    WEBHOOK_SECRET: optional(longSecret, 'key that signs the notices (Standard Webhooks), at least 16 characters'),
  },
  (notice, { WEBHOOK_URL = '', WEBHOOK_SECRET }, { key, now }) => {
    const headers = WEBHOOK_SECRET ? signatures(JSON.stringify(notice), WEBHOOK_SECRET, key, now) : {};
    return { url: WEBHOOK_URL, body: notice, headers };
  },
);

const PREFIX = 'whsec_';

/**
 * The headers of Standard Webhooks 1.0: the id of the message, the same at every attempt, the time, and their signature together with
 * the body. `secret` is `whsec_` and base64, or any other text, whose bytes are the key; `now` is an epoch, in ms.
 */
function signatures(body: string, secret: string, id: string, now: number): Readonly<Record<string, string>> {
  const seconds = Math.floor(now / 1000);
  const key = secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
  const signed = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signed}`,
  };
}
