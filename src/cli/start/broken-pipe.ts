import { exitCodes } from '../../verdict/exit-codes.ts';

/**
 * The reader of our output may close the pipe (`| head`). The command then continues, with its clean-up, and exits with the code of the
 * run. If the command exited as soon as the pipe is closed, `set -o pipefail` would not see a failure of the run.
 */
let isReported = false;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || isReported) return;
    isReported = true;
    process.stderr.write(`The output can't be written (${code ?? message}). Free some space, or write it elsewhere.\n`);
    // If output is lost for any other reason, such as a full disk, a run that would exit with 0 exits with 2. A failed run keeps its own
    // exit code.
    process.once('exit', (exitCode) => {
      if (exitCode === exitCodes.held) process.exitCode = exitCodes.usage;
    });
  });
}
