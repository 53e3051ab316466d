import { suite } from 'node:test';
import { pathToFileURL } from 'node:url';

// Runs test files one after the other in this process, each as a suite with its own hooks.
for (const file of process.argv.slice(2)) suite(file, async () => void (await import(pathToFileURL(file).href)));
