import { requestReadings } from './requests.ts';
import { responseReadings, throttling } from './responses.ts';
import { asItIs, type Readings } from './service-reading.ts';

/**
 * The possible readings of what the specification leaves open about requests and responses. A later reading wraps the earlier ones. So the
 * reading with which only the body shows success comes last.
 */
export const serviceReadings = { ...requestReadings, ...responseReadings } satisfies Readings;

/** Conditions outside of the specification that any client may meet. */
export const circumstances = { throttling: { never: asItIs, often: throttling } } satisfies Readings;

export type { ServiceReading } from './service-reading.ts';
