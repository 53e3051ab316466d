import { mkdirSync } from 'node:fs';

// A new volume is empty, but the program needs a folder for temporary files. The program is imported, and not started as a child, so that
// it is the container's first process, which gets the signals.
mkdirSync(process.env.TMPDIR ?? '/tmp', { recursive: true });
await import('../launcher/sextant.js');
