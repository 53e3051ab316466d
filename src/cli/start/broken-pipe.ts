import { exitCodes } from '../../verdict/exit-codes.ts';

/**
 * The reader of our output may close it (`| head`). The command continues, including clean-up, and exits with the code
 * of the run: exiting here would hide a failure from `set -o pipefail`.
 */
let isReported = false;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || isReported) return;
    isReported = true;
    process.stderr.write(`The output can't be written (${code ?? message}). Free some space, or write it elsewhere.\n`);
    // Output lost for another reason (a full disk) is an error, unless the run found a more severe one.
    process.once('exit', (exitCode) => {
      if (exitCode === exitCodes.held) process.exitCode = exitCodes.usage;
    });
  });
}
