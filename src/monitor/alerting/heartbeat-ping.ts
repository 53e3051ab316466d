/** `…/start`, the address itself, or `…/fail`: what healthchecks.io, Cronitor's and others' addresses understand. */
export type Beat = 'start' | 'success' | 'fail';

/** The address of a beat; a query stays at its end. */
export function beatUrl(base: string, beat: Beat): string {
  const url = new URL(base);
  if (beat !== 'success') url.pathname = `${url.pathname.replace(/\/$/, '')}/${beat}`;
  return url.href;
}

/** Pings the dead man's switch; returns the problem, if any. The switch itself raises the alarm when pings stop. */
export async function ping(base: string, beat: Beat): Promise<string | undefined> {
  try {
    const response = await fetch(beatUrl(base, beat), { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
    return response.ok ? undefined : `The heartbeat failed: HEARTBEAT_URL returned status ${response.status}.`;
  } catch {
    return 'The heartbeat failed: HEARTBEAT_URL could not be reached within 10 s.';
  }
}
