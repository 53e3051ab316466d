import type { QuestionId } from '../../src/spec/index.ts';
import { requestReadings } from './requests.ts';
import { responseReadings, throttling } from './responses.ts';
import { asItIs, type ServiceReading } from './service-reading.ts';

/** Later entries wrap earlier ones: the success signal is added last. */
export const serviceReadings = { ...requestReadings, ...responseReadings } satisfies Readonly<
  Record<QuestionId, Readonly<Record<string, ServiceReading>>>
>;

/** Properties outside the specification that every suite meets. */
export const circumstances = {
  throttling: { never: asItIs, often: throttling },
} as const satisfies Record<string, Readonly<Record<string, ServiceReading>>>;

export type { ServiceReading } from './service-reading.ts';
