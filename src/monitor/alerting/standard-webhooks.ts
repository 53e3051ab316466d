import { createHmac } from 'node:crypto';

export interface Signed {
  /** Identifies the message: the same at every attempt. */
  readonly id: string;
  readonly body: string;
  /** `whsec_` and base64, or any other text, whose bytes are the key. */
  readonly secret: string;
  /** Epoch, in ms. */
  readonly now: number;
}

/** The headers of Standard Webhooks 1.0: the id, the time, and their signature together with the body. */
export function standardHeaders({ id, body, secret, now }: Signed): Readonly<Record<string, string>> {
  const seconds = Math.floor(now / 1000);
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}

const PREFIX = 'whsec_';

function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
}
