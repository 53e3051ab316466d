import { brunoFiles } from './bruno.ts';
import type { ExportedEnvironment } from './exported-requests.ts';
import { httpFile } from './http-file.ts';
import { postmanCollection, postmanEnvironment } from './postman.ts';

interface ExportFormat {
  /** The files of an export, by path. */
  readonly files: (exported: ExportedEnvironment) => Readonly<Record<string, string>>;
  /** The file that is printed without a folder to write to; absent: the format is a folder. */
  readonly printed?: (exported: ExportedEnvironment) => string;
}

/** The tools for which requests are exported. */
export const exportFormats = {
  http: { files: (exported) => ({ [`${exported.name}.http`]: httpFile(exported) }), printed: httpFile },
  postman: {
    files: (exported) => ({
      [`${exported.name}.postman_collection.json`]: postmanCollection(exported),
      [`${exported.name}.postman_environment.json`]: postmanEnvironment(exported),
    }),
    printed: postmanCollection,
  },
  bruno: { files: brunoFiles },
} as const satisfies Record<string, ExportFormat>;

export type ExportFormatName = keyof typeof exportFormats;
