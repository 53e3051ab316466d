#!/usr/bin/env node
import './start/broken-pipe.ts';
import { guardOutput } from '../redaction/redact.ts';
import { programFor } from './program.ts';
import { reportErrorAndExit } from './start/report-error.ts';

guardOutput();
try {
  await (await programFor(process.argv.slice(2))).parseAsync();
} catch (error) {
  reportErrorAndExit(error);
}
