import { mkdirSync } from 'node:fs';

// A new volume is empty, and without a folder for temporary files nothing starts. The program is imported, so that it is the
// container's first process.
mkdirSync(process.env.TMPDIR ?? '/tmp', { recursive: true });
await import('../launcher/sextant.js');
