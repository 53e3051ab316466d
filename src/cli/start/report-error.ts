import { CommanderError } from 'commander';
import { ConfigurationError } from '../../environment/configuration-error.ts';
import { fileTrouble } from '../../environment/files/file-trouble.ts';
import { exitCodes } from '../../verdict/exit-codes.ts';
import { printable } from '../output/terminal.ts';

/**
 * The exit code and the text on stderr for an error that a command threw. A mistake of the user is shown without a stack. Any other error
 * is a bug, and is shown with its stack.
 */
export function endingOf(error: unknown): { readonly code: number; readonly text: string } {
  // Commander has printed the error already.
  if (error instanceof CommanderError)
    return { code: error.exitCode === 0 ? exitCodes.held : exitCodes.usage, text: '' };
  // The user pressed Ctrl-C while the command was working.
  if (error instanceof Error && error.name === 'AbortError') return { code: exitCodes.interrupted, text: 'Stopped.\n' };
  // A token command or a token endpoint of the user failed, which is no bug of Sextant: print the message without a stack.
  if (error instanceof Error && error.name === 'NotIssued')
    return { code: exitCodes.unjudged, text: `${printable(error.message)}\n` };
  const known = knownMistake(error);
  if (known !== undefined) return { code: exitCodes.usage, text: `${printable(known)}\n` };
  const stack = error instanceof Error ? error.stack : String(error);
  return { code: exitCodes.unjudged, text: `${printable(String(stack))}\nThis is a bug in Sextant.\n` };
}

export function reportErrorAndExit(error: unknown): never {
  const { code, text } = endingOf(error);
  process.stderr.write(text);
  process.exit(code);
}

function knownMistake(error: unknown): string | undefined {
  if (error instanceof ConfigurationError || (error instanceof Error && error.name === 'PortTaken'))
    return error.message;
  const { syscall, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') return 'The working directory no longer exists. Change to another one.';
  // If a library opened the file `path`, the error is the system's own, without an explanation, so explain it to the user here.
  const trouble = path === undefined ? error : fileTrouble(error, path, { what: 'a file of this run' }, 'written');
  return trouble instanceof ConfigurationError ? trouble.message : undefined;
}
