/** Documents may refer to others from one reading to the next, but not for ever. */
const MOST_READINGS = 5;

/**
 * Reads a configuration until it is what its fingerprint was made of: which files a document refers to is known when it was read, and a
 * file may have changed meanwhile. `before`: the fingerprint as it was before.
 */
export async function readWhole<T>(
  before: string,
  fingerprint: () => string,
  read: () => T | Promise<T>,
): Promise<{ readonly found: T; readonly fingerprint: string }> {
  let seen = before;
  for (let readings = 1; ; readings++) {
    const found = await read();
    const now = fingerprint();
    if (now === seen || readings === MOST_READINGS) return { found, fingerprint: seen };
    seen = now;
  }
}
