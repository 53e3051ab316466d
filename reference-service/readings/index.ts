import { requestReadings } from './requests.ts';
import { responseReadings, throttling } from './responses.ts';
import { asItIs, type Readings } from './service-reading.ts';

/** Readings of requests and responses. Later ones wrap earlier ones, so the reading that changes the success signal comes last. */
export const serviceReadings = { ...requestReadings, ...responseReadings } satisfies Readings;

/** Conditions outside of the specification that any client may meet. */
export const circumstances = { throttling: { never: asItIs, often: throttling } } satisfies Readings;

export type { ServiceReading } from './service-reading.ts';
