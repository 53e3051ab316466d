/**
 * A reader of our output may go away (`| head`). The command goes on, clean-up included, and ends with the exit code that
 * the run deserves: ending here would hide a failure from `set -o pipefail`.
 */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    reportUnwritable(error);
  });
}

let isReported = false;

/** Output that is lost for another reason (a full disk) is an error of its own, unless the run found a graver one. */
function reportUnwritable({ code, message }: NodeJS.ErrnoException): void {
  if (isReported) return;
  isReported = true;
  process.stderr.write(`The output can't be written (${code ?? message}). Free space there, or write it elsewhere.\n`);
  process.once('exit', (exitCode) => {
    if (exitCode === 0) process.exitCode = 2;
  });
}
