import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/environment/project-root.ts';
import { deploymentFiles } from '../deploy/deployment-files.ts';
import { keyFiles, typeSchemas } from './document-schemas.ts';
import { parts } from './generated-parts.ts';
import { requestValidators } from './request-validators.ts';
import { withPart } from './with-part.ts';

/** The parts of pages, and the files, that are generated. */
const generated = [
  ...parts.map(({ page, name, part }) => ({
    file: page,
    what: `the generated part "${name}"`,
    make: (text: string) => withPart(text, name, part),
  })),
  ...deploymentFiles().map((each) => ({ ...each, what: 'what is made from other files' })),
  ...keyFiles.map((each) => ({ ...each, what: 'what is made from the table of keys' })),
  { ...requestValidators, what: 'what Ajv makes from the request schemas' },
];

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

export function pageComplaints(): string[] {
  const outdated = generated.filter(({ file, make }) => make(read(file)) !== read(file));
  return outdated.map(({ file, what }) => `${file}: ${what} is out of date; run \`npm run pages\`.`);
}

if (import.meta.main) {
  for (const { file, make } of generated) writeFileSync(join(projectRoot, file), make(read(file)));
  for (const [file, text] of typeSchemas()) writeFileSync(join(projectRoot, file), text);
}
