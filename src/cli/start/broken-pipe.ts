/**
 * The reader of our output may close it (`| head`). The command continues, including clean-up, and exits with the code
 * of the run: exiting here would hide a failure from `set -o pipefail`.
 */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    reportUnwritable(error);
  });
}

let isReported = false;

/** Output lost for another reason (a full disk) is an error, unless the run found a more severe one. */
function reportUnwritable({ code, message }: NodeJS.ErrnoException): void {
  if (isReported) return;
  isReported = true;
  process.stderr.write(`The output can't be written (${code ?? message}). Free some space, or write it elsewhere.\n`);
  process.once('exit', (exitCode) => {
    if (exitCode === 0) process.exitCode = 2;
  });
}
