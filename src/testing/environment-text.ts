import { type AreaId, areaIds, areas } from '../spec/index.ts';

/** The text of an environment's file for servers on loopback; `rest` adds keys, takes them away (undefined) or changes them. */
export function environmentText(
  address: string | Readonly<Record<AreaId, string>>,
  rest: Readonly<Record<string, string | undefined>> = {},
): string {
  const addresses = areaIds.map((area) => [
    areas[area].addressKey,
    typeof address === 'string' ? address : address[area],
  ]);
  const all: Record<string, string | undefined> = {
    ...(Object.fromEntries(addresses) as Record<string, string>),
    CLIENT_ID: 'client-harbour',
    USER_ID: 'user-ada',
    ACCESS_TOKEN: 'tok_ada_91d0b6c3e8a54f27',
    API_KEY: 'key_harbour_4f1c9a7e2b',
    APP_BUNDLE: 'org.sextant.tests',
    APP_VER: '1',
    APP_PLATFORM: 'web',
    APP_LANG: 'en',
    APP_ENV: 'test',
    REPORT_LANGUAGE: 'en',
    STORY_ID: 'story-lighthouse',
    ALLOWED_EFFECTS: 'read,reversible,overwriting,irreversible',
    ...rest,
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return given.map(([key, value]) => `${key}=${value}\n`).join('');
}
