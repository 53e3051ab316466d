/**
 * Fetches over a connection of its own. A server closes one that was idle for seconds; a busy machine could send the next
 * request in that very moment.
 */
export function fetchOnce(url: string | URL, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), connection: 'close' } });
}
