import { ownReadProfile, type Service, seeded } from '../../../reference-service/index.ts';
import { Secret } from '../../client/index.ts';
import { atService, type Environment } from '../../config/index.ts';
import { unusedItems } from '../../scenario/index.ts';

/** An environment with the permissions and gaps of another, but with the addresses, users and data of the embedded service. */
export interface LocalSubstitute {
  readonly environment: Environment;
  /** The original's values, by those of the substitute. */
  readonly original: (text: string) => string;
}

const app = { 'app-bundle': 'b', 'app-ver': '1', 'app-platform': 'web', 'app-lang': 'en', 'app-env': 'e' };
const LANGUAGE = 'en';

export function localSubstitute(original: Environment, service: Service): LocalSubstitute {
  const substituted = atService(original, service);
  const { successWhen: _, rateLimits: __, contract: ___, readProfile, caller, friend, data, ...rest } = substituted;
  const items = unusedItems(original.name, data.storedItemIds);
  const names = new Map<string, string>([
    [seeded.caller.userId, caller.userId],
    [seeded.friend.userId, friend.userId ?? seeded.friend.userId],
    [LANGUAGE, data.reportLanguage ?? LANGUAGE],
    ...seeded.items.map((item, index) => [item, items[index] ?? item] as const),
  ]);
  const environment: Environment = {
    ...rest,
    isLoopback: true,
    secrets: [],
    caller: {
      clientId: seeded.client.clientId,
      userId: seeded.caller.userId,
      ...(caller.accessToken ? { accessToken: new Secret(seeded.caller.accessToken) } : {}),
      ...(caller.apiKey ? { apiKey: new Secret(seeded.client.apiKey) } : {}),
      app,
    },
    blockListSegments: { n1: '0', n2: '100' },
    friend: {
      ...(friend.userId ? { userId: seeded.friend.userId } : {}),
      ...(friend.accessToken ? { accessToken: new Secret(seeded.friend.accessToken) } : {}),
    },
    data: {
      ...data,
      ...(data.reportLanguage ? { reportLanguage: LANGUAGE } : {}),
      ...(data.storyId ? { storyId: seeded.story } : {}),
      ...(data.flagKey ? { flagKey: seeded.flag.key } : {}),
      ...(data.fromClientId ? { fromClientId: seeded.source.clientId } : {}),
      ...(data.typeName ? { typeName: seeded.source.typeName } : {}),
      storedItemIds: seeded.items.slice(0, items.length),
    },
    ...(readProfile ? { readProfile: ownReadProfile } : {}),
  };
  return { environment, original: (text) => names.get(text) ?? text };
}
