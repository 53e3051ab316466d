import type { ServiceUnderTest } from '../../verdict/index.ts';
import { pendingChange } from './pending-change.ts';
import { RateLimit } from './rate-limit.ts';
import type { Middleware } from './stages.ts';

interface Pace {
  /** The middleware that each request to the environment goes through, no matter which part of Sextant sends it. */
  readonly middleware: readonly Middleware[];
  /** Called with the requests per second that an area served before the service first asked for a pause. */
  onSlowed: (perSecond: number) => void;
}

const paces = new WeakMap<ServiceUnderTest, Pace>();

/** The rate limits of an environment, which apply to all requests of this process together. */
export function sharedPace(target: ServiceUnderTest): Pace {
  const known = paces.get(target);
  if (known) return known;
  const limits = target.rateLimits ?? { retryAfterLimitMs: 0 };
  const limit = new RateLimit(limits, (perSecond) => pace.onSlowed(perSecond));
  const pace: Pace = { middleware: [pendingChange(target), limit.middleware], onSlowed: () => {} };
  paces.set(target, pace);
  return pace;
}
