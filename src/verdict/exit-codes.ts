/** The exit codes of commands, by meaning. */
export const exitCodes = {
  /** Everything was as expected. */
  held: 0,
  /** The service, or a part of the requested work, fell short of what was expected. */
  fellShort: 1,
  /** A mistake in usage or configuration. */
  usage: 2,
  /** The run could not be judged, or is not finished. */
  unjudged: 3,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;
