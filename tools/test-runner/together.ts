import { after, suite } from 'node:test';
import { pathToFileURL } from 'node:url';

// Runs test files one after the other in this process, each as a suite with its own hooks. A file is loaded when the one before it has
// ended, and finds the variables of the environment as that one found them.
const before = { ...process.env };

function restore(): void {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
}

for (const file of process.argv.slice(2))
  await new Promise<void>((ended) => {
    suite(file, async () => {
      try {
        await import(pathToFileURL(file).href);
      } catch (error) {
        ended();
        throw error;
      }
      // The last hook of the file, so its own find what they set.
      after(() => {
        restore();
        ended();
      });
    });
  });
