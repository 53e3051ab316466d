import { mkdirSync } from 'node:fs';

// A new volume is empty, so create the folder for temporary files that the program needs. Then import the program instead of starting a
// child process: so the program is the container's first process, which gets the signals.
mkdirSync(process.env.TMPDIR ?? '/tmp', { recursive: true });
await import('../launcher/sextant.js');
