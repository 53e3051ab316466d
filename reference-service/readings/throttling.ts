import { Refusal } from '../refusal.ts';
import { otherwise, reading } from './service-reading.ts';

const THROTTLED_EVERY = 29;

/** Now and then a request is to come again, at once. */
export const throttling = reading(
  otherwise('all', {
    arrive: () => {
      let asked = 0;
      return () => {
        if (++asked % THROTTLED_EVERY === 0) throw new Refusal(429, 'slow_down', 'come again', { 'retry-after': '0' });
      };
    },
  }),
);
