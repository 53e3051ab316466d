/** One thing that must hold in a pipeline, as it was found. */
export interface Finding {
  readonly what: string;
  readonly found: string;
  /** `undefined`: a figure, neither right nor wrong. */
  readonly holds?: boolean;
  /** What was printed, shown where it doesn't hold. */
  readonly said?: string;
}
