import { ConfigurationError, EMBEDDED } from '../../config/index.ts';
import { chooseEnvironments } from './choose-environments.ts';

/** The chosen environments; none where the words fit none any more, which loading reports. */
export function namesNow(env: readonly string[]): string[] {
  try {
    return chooseEnvironments(env.length > 0 ? env : [EMBEDDED]);
  } catch (error) {
    if (error instanceof ConfigurationError) return [];
    throw error;
  }
}
