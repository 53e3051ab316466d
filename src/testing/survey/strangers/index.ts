import { envelope } from './envelope.ts';
import { counted, linked, sorted, throttled } from './frameworks.ts';
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
