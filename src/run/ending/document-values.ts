// Types of values in the documents that other programs read. `npm run pages` copies these tags into the JSON Schemas of the documents.

/**
 * ISO 8601, in UTC.
 * @format date-time
 */
export type UtcTime = string;

/** @minimum 0 */
export type Milliseconds = number;

/**
 * @asType integer
 * @minimum 0
 */
export type Count = number;

/**
 * @asType integer
 * @minimum 100
 * @maximum 599
 */
export type StatusCode = number;
