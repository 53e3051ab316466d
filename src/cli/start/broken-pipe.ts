import { exitCodes } from '../../verdict/exit-codes.ts';

/**
 * The reader of our output may close the pipe (`| head`). The command then continues, including its clean-up, and exits with the code of
 * the run: an exit at this moment would hide a failure from `set -o pipefail`.
 */
let isReported = false;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || isReported) return;
    isReported = true;
    process.stderr.write(`The output can't be written (${code ?? message}). Free some space, or write it elsewhere.\n`);
    // Output that is lost for another reason, such as a full disk, makes a successful run end with exit code 2. A failed run keeps its own
    // exit code.
    process.once('exit', (exitCode) => {
      if (exitCode === exitCodes.held) process.exitCode = exitCodes.usage;
    });
  });
}
