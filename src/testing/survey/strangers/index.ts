import { envelope } from './envelope.ts';
import { linked, throttled } from './frameworks.ts';
import { gateway } from './gateway.ts';
import { keyed } from './keyed.ts';
import { lagging } from './lagging.ts';
import type { Stranger } from './stranger.ts';

export const strangers: Readonly<Record<string, Stranger>> = {
  gateway,
  envelope,
  lagging,
  keyed,
  linked,
  throttled,
};
