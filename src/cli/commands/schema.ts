import { join } from 'node:path';
import { Command } from 'commander';
import { fileRoles, listFolder, readText } from '../../environment/files/index.ts';
import { ConfigurationError, didYouMean } from '../../environment/index.ts';
import { projectRoot } from '../../environment/project-root.ts';

const folder = join(projectRoot, 'docs', 'schemas');
const END = '.schema.json';

export function schema(): Command {
  const names = listFolder(folder, fileRoles.project).map((file) => file.replace(END, ''));
  return new Command('schema').argument('<name>', names.join(', ')).action((name: string) => {
    if (!names.includes(name))
      throw new ConfigurationError(
        `There is no schema "${name}"${didYouMean(name, names)}; there are ${names.join(', ')}.`,
      );
    process.stdout.write(readText(join(folder, `${name}${END}`), fileRoles.project));
  });
}
