import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackAddress } from '../../environment/index.ts';
import type { Settings } from '../settings/load.ts';

/** A reader's access. all: everything · public: states and uptime, without reasons and addresses · none: nothing without a token. */
export type Access = 'all' | 'public' | 'none';

export type ShownHeaders = Pick<IncomingHttpHeaders, 'host' | 'authorization' | 'cookie'>;

export const COOKIE = 'sextant';

type Guard = Pick<Settings, 'token' | 'isPublic' | 'listen' | 'pageUrl'>;

export function accessOf({ authorization, cookie, host }: ShownHeaders, guard: Guard): Access {
  const { token, isPublic } = guard;
  const bearer = /^bearer\s+(.+)$/i.exec(authorization ?? '')?.[1];
  const pass = new RegExp(`(?:^|;\\s*)${COOKIE}=([0-9a-f]+)`).exec(cookie ?? '')?.[1];
  if (token && (isSame(bearer, token) || isSame(pass, passOf(token)))) return 'all';
  if (isPublic) return 'public';
  if (token) return 'none';
  // Without a token, only this machine has access. A request with another host name would come from another site, by DNS rebinding.
  return isOwnHost(host, guard) ? 'all' : 'none';
}

/** The value of the cookie. It grants access like the token, but doesn't contain the token. */
export function passOf(token: string): string {
  return createHmac('sha256', token).update('sextant page').digest('hex');
}

export function isSame(given: string | undefined, expected: string): boolean {
  if (given === undefined) return false;
  const digest = (text: string) => createHmac('sha256', 'length').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function isOwnHost(host: string | undefined, { pageUrl }: Guard): boolean {
  const shown = URL.parse(`http://${host ?? ''}`);
  if (!shown) return false;
  return isLoopbackAddress(shown) || (pageUrl !== undefined && URL.parse(pageUrl)?.hostname === shown.hostname);
}
