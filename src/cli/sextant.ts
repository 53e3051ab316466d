#!/usr/bin/env node
import './compile-cache.ts';
import './broken-pipe.ts';
import { programFor } from './program.ts';
import { reportErrorAndExit } from './report-error.ts';

try {
  await (await programFor(process.argv[2])).parseAsync();
} catch (error) {
  reportErrorAndExit(error);
}
