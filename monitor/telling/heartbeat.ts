/** `…/start`, the address itself, or `…/fail`: what healthchecks.io, Cronitor's and others' addresses understand. */
export type Beat = 'start' | 'success' | 'fail';

/** The address of a beat; a query stays at its end. */
export function beatUrl(base: string, beat: Beat): string {
  const url = new URL(base);
  if (beat !== 'success') url.pathname = `${url.pathname.replace(/\/$/, '')}/${beat}`;
  return url.href;
}

/** Pings the dead man's switch; a ping that doesn't arrive is what it is there to notice. */
export async function ping(base: string, beat: Beat, onTrouble: (text: string) => void): Promise<void> {
  try {
    const response = await fetch(beatUrl(base, beat), { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
    if (!response.ok) onTrouble(`HEARTBEAT_URL answered ${response.status} to ${beat}`);
  } catch {
    onTrouble(`HEARTBEAT_URL did not answer to ${beat}`);
  }
}
