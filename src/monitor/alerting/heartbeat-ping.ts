/** `…/start`, the address itself, or `…/fail`: what healthchecks.io, Cronitor's and others' addresses understand. */
export type Beat = 'start' | 'success' | 'fail';

/** The address of a beat; a query stays at its end. */
export function beatUrl(base: string, beat: Beat): string {
  const url = new URL(base);
  if (beat !== 'success') url.pathname = `${url.pathname.replace(/\/$/, '')}/${beat}`;
  return url.href;
}

/** Pings the dead man's switch; gives what is wrong with it. A ping that doesn't arrive is what it is there to notice. */
export async function ping(base: string, beat: Beat): Promise<string | undefined> {
  try {
    const response = await fetch(beatUrl(base, beat), { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
    return response.ok ? undefined : `HEARTBEAT_URL answered ${response.status}`;
  } catch {
    return 'HEARTBEAT_URL did not answer';
  }
}
