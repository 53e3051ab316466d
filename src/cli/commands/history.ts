import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import { FileTrouble, fileRoles, isThere } from '../../environment/files/index.ts';
import { type Exported, exportLines, exports, HistoryDatabase, historyFile } from '../../monitor/index.ts';

export function history(): Command {
  const command = new Command('history');
  command
    .command('export')
    .description('print a table of the history, even while the monitor is running')
    .option('--data <folder>', 'folder of the history', './monitor-data')
    .addOption(new Option('--what <table>', 'table to export').choices(Object.keys(exports)).default('runs'))
    .addOption(new Option('--format <format>', 'output format').choices(['ndjson', 'csv']).default('ndjson'))
    .action(async ({ data, what, format }: { data: string; what: Exported; format: 'ndjson' | 'csv' }) => {
      const file = historyFile(data);
      if (!isThere(file, fileRoles.data)) throw new FileTrouble(file, fileRoles.data, 'is missing', 'Check the path');
      const db = new HistoryDatabase(file, { readOnly: true });
      try {
        await pipeline(Readable.from(exportLines(db, what, format)), process.stdout, { end: false });
      } catch (error) {
        // EPIPE is no error here: the reader has closed the pipe (`| head`).
        if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
      } finally {
        db.close();
      }
    });
  return command;
}
