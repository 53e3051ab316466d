import { requestReadings } from './requests.ts';
import { responseReadings, throttling } from './responses.ts';
import { asItIs, type Readings } from './service-reading.ts';

/** Readings of requests and responses. Later readings wrap earlier ones, so the success signal comes last. */
export const serviceReadings = { ...requestReadings, ...responseReadings } satisfies Readings;

/** Circumstances outside the specification that every suite meets. */
export const circumstances = { throttling: { never: asItIs, often: throttling } } satisfies Readings;

export type { ServiceReading } from './service-reading.ts';
