/** Status line and headers of a response, with the caller's secrets masked. */
export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  /** In the received order; a name may occur twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}
