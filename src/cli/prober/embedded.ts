import { atService, ConfigurationError, EMBEDDED, type Environment, loadEnvironment } from '../../config/index.ts';
import { type AreaId, areaIds } from '../../spec/index.ts';

/** The embedded environment, if it is among those to probe and can be used. */
export function embeddedAmong(names: readonly string[]): Environment[] {
  if (!names.includes(EMBEDDED)) return [];
  try {
    return [loadEnvironment(EMBEDDED)];
  } catch (error) {
    // What is wrong with it is reported with the others.
    if (error instanceof ConfigurationError) return [];
    throw error;
  }
}

/** `loaded` with the addresses where its service was started, if it is the embedded environment. */
export function whereEmbedded(loaded: Environment, started: Environment): Environment {
  if (loaded.name !== started.name) return loaded;
  const addresses = Object.fromEntries(
    areaIds.map((area) => [area, started.addresses[area].href.replace(/\/$/, '')]),
  ) as Record<AreaId, string>;
  const provisionUrl = (started.provisionUrl?.href ?? '').replace(/\/$/, '');
  return atService(loaded, { addresses, provisionUrl });
}
