import { join } from 'node:path';
import { fileRoles, isThere, readTextIfAny } from '../../config/files/index.ts';
import { ConfigurationError } from '../../config/index.ts';
import { isPackage, workFolder } from '../../config/project-root.ts';

/**
 * Playwright loads files as CommonJS unless their package.json says otherwise, and the suite that they import is made of modules.
 * @throws ConfigurationError
 */
export function assertModules(folder = workFolder, isBeside = isPackage): void {
  if (!isBeside || !isThere(join(folder, 'tests'), fileRoles.source)) return;
  const text = readTextIfAny(join(folder, 'package.json'), fileRoles.source);
  if (text && /"type"\s*:\s*"module"/.test(text)) return;
  throw new ConfigurationError(
    'The specs in tests/ can\'t be loaded: package.json needs `"type": "module"`. `npx sextant init` writes one.',
  );
}
