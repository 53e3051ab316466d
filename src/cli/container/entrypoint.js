import { mkdirSync } from 'node:fs';

// A new volume is empty, and nothing starts without a folder for temporary files, so create it. The program is imported, so that it is the
// container's first process.
mkdirSync(process.env.TMPDIR ?? '/tmp', { recursive: true });
await import('../launcher/sextant.js');
