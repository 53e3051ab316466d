import { envelope } from './envelope.ts';
import { gateway } from './gateway.ts';
import { hal } from './hal.ts';
import { keyed } from './keyed.ts';
import { lagging } from './lagging.ts';
import { linked } from './linked.ts';
import { sorted } from './sorted.ts';
import type { Stranger } from './stranger.ts';
import { strict } from './strict.ts';
import { terse } from './terse.ts';
import { throttled } from './throttled.ts';

export const strangers: Readonly<Record<string, Stranger>> = {
  gateway,
  envelope,
  strict,
  lagging,
  keyed,
  hal,
  terse,
  linked,
  sorted,
  throttled,
};
