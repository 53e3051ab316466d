import { type Caller, type Credential, keepSecrets, type Secret } from '../client/index.ts';
import { type AreaId, areaIds, areas } from '../spec/index.ts';
import type { Environment } from './environment.ts';
import type { CredentialKey, SecretKey, Values } from './keys/keys.ts';
import { ownSettings } from './keys/own-settings.ts';
import { present } from './present.ts';

/** Builds the environment from checked values. */
export function toEnvironment(
  name: string,
  values: Values,
  {
    secrets,
    issued,
  }: {
    readonly secrets: Partial<Record<SecretKey, Secret>>;
    readonly issued: Partial<Record<CredentialKey, Credential>>;
  },
  isLoopback: boolean,
): Environment {
  const { ACCESS_TOKEN: accessToken, API_KEY: apiKey, FRIEND_ACCESS_TOKEN: friendToken } = { ...secrets, ...issued };
  const caller: Caller = {
    clientId: values.CLIENT_ID as string,
    userId: values.USER_ID as string,
    app: {
      'app-bundle': values.APP_BUNDLE as string,
      'app-ver': values.APP_VER as string,
      'app-platform': values.APP_PLATFORM as string,
      'app-lang': values.APP_LANG as string,
      'app-env': values.APP_ENV as string,
    },
    ...present({ accessToken, apiKey }),
  };
  keepSecrets(Object.values(secrets));
  return {
    ...ownSettings(values),
    name,
    isLoopback,
    caller,
    friend: present({ userId: values.FRIEND_USER_ID, accessToken: friendToken }),
    secrets: Object.values(secrets),
    addresses: Object.fromEntries(areaIds.map((area) => [area, values[areas[area].addressKey]])) as Record<AreaId, URL>,
    allowedEffects: values.ALLOWED_EFFECTS ?? new Set(),
    requestTimeoutMs: values.REQUEST_TIMEOUT_MS as number,
    consistencyTimeoutMs: values.CONSISTENCY_TIMEOUT_MS as number,
    slowAfterMs: values.SLOW_AFTER_MS as number,
    maxAnswerBytes: values.MAX_ANSWER_BYTES as number,
    blockListSegments: values.BLOCK_LIST_SEGMENTS as { n1: string; n2: string },
    rateLimits: {
      retryAfterLimitMs: values.RETRY_AFTER_LIMIT_MS as number,
      ...present({
        maxRequestsPerSecond: values.MAX_REQUESTS_PER_SECOND,
        maxConcurrency: values.MAX_CONCURRENCY,
      }),
    },
    ...present({
      successWhen: values.SUCCESS_WHEN,
      readProfile: values.FRIEND_PROFILE_REQUEST,
      runHeader: values.RUN_ID_HEADER,
    }),
  };
}
