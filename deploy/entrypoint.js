import { mkdirSync } from 'node:fs';

// A new volume is empty, and without a folder for temporary files nothing starts. JavaScript, so that nothing that takes types away is
// loaded; imported, so that the program is the container's first process.
mkdirSync(process.env.TMPDIR ?? '/tmp', { recursive: true });
await import('../src/cli/launcher/sextant.js');
