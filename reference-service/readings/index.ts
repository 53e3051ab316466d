import { requestReadings } from './requests.ts';
import { responseReadings, throttling } from './responses.ts';
import { asItIs, type Readings } from './service-reading.ts';

/** Later entries wrap earlier ones: the success signal is added last. */
export const serviceReadings = { ...requestReadings, ...responseReadings } satisfies Readings;

/** Properties outside the specification that every suite meets. */
export const circumstances = { throttling: { never: asItIs, often: throttling } } satisfies Readings;

export type { ServiceReading } from './service-reading.ts';
