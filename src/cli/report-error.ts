import { CommanderError } from 'commander';
import { PortTaken } from '../../reference-service/ports.ts';
import { ConfigurationError } from '../config/configuration-error.ts';

/** Usage or configuration error. */
const USAGE = 2;
/** The suite failed. */
const UNJUDGED = 3;

/** Ends the process: prints a user's mistake without a stack, and any other error as a bug with its stack. */
export function reportErrorAndExit(error: unknown): never {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : USAGE);
  if (error instanceof ConfigurationError || error instanceof PortTaken) {
    process.stderr.write(`${error.message}\n`);
    process.exit(USAGE);
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\nThis is a bug in Sextant.\n`);
  process.exit(UNJUDGED);
}
