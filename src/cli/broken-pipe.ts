/** Who reads our output may stop reading (`| head`): then there is nothing left to say, and nothing went wrong. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}
