import { envelope } from './envelope.ts';
import { counted } from './framework/counted.ts';
import { linked } from './framework/linked.ts';
import { sorted } from './framework/sorted.ts';
import { throttled } from './framework/throttled.ts';
import { gateway } from './gateway.ts';
import { hal } from './hal.ts';
import { keyed } from './keyed.ts';
import { lagging } from './lagging.ts';
import type { Stranger } from './stranger.ts';
import { strict } from './strict.ts';
import { terse } from './terse.ts';

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
  counted,
};
