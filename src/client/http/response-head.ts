/** Status line and headers of a response, the caller's secrets masked. */
export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  /** In their order, as they came; a name may stand twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}
