/** Who reads our output may stop reading (`| head`): then there is nothing left to say, and nothing went wrong. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit();
    if (stream === process.stdout)
      process.stderr.write(`Standard output can't be written (${code}). Make room, or write to another place.\n`);
    process.exit(2);
  });
}
