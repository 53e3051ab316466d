import module from 'node:module';
import { pathToFileURL } from 'node:url';
import { isPackage, ownModule, specModule } from '../../environment/project-root.ts';

// If a spec is outside of the package, its import of `sextant` must find the copy that runs the spec, wherever npm or npx has put this
// copy.
if (isPackage) {
  const url = pathToFileURL(ownModule('fixtures/index')).href;
  module.registerHooks({
    resolve: (name, context, next) => (name === specModule ? { url, shortCircuit: true } : next(name, context)),
  });
}
