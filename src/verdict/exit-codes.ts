/** The meanings of a command's exit code. */
export const exitCodes = {
  /** Nothing falls short. */
  held: 0,
  /** The service, or a part of what was asked for, falls short. */
  fellShort: 1,
  /** Usage or configuration. */
  usage: 2,
  /** The run could not be judged, or is not finished. */
  unjudged: 3,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;
