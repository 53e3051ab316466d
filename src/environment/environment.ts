import type { Caller, Credential } from '../call/index.ts';
import { keepSecrets, type Secret } from '../redaction/index.ts';
import { type AreaId, areaIds, areas, type CallableId } from '../service/index.ts';
import type { ServiceUnderTest } from '../verdict/index.ts';
import { definedFields } from './defined-fields.ts';
import { EMBEDDED } from './folder.ts';
import type { CredentialKey, SecretKey, Values } from './keys/keys.ts';

/** One deployment of the service, loaded and checked: addresses, users, test data and allowed effects. */
export interface Environment extends ServiceUnderTest, OwnSettings {
  readonly caller: Caller;
  readonly friend: { readonly userId?: string; readonly accessToken?: Credential };
  readonly isLoopback: boolean;
  readonly secrets: readonly Secret[];
  /** Probable mistakes in the environment's files, one sentence each, without secrets. */
  readonly warnings?: readonly string[];
  /** The areas whose address `--set` on the command line replaces; absent: none. */
  readonly set?: readonly AreaId[];
  /** The place of each secret, or its issuer: `ACCESS_TOKEN in environments/qa.env`, `QA_ACCESS_TOKEN`. */
  readonly readFrom?: Readonly<Partial<Record<SecretKey, string>>>;
}

/** The place that a credential was read from, for the message about a refused credential. */
export function placeOfCredential({ name, readFrom }: Environment, key: CredentialKey): string {
  return readFrom?.[key] ?? `${key} of ${name}`;
}

export function toEnvironment(
  name: string,
  values: Values,
  given: Partial<Record<SecretKey, Secret>>,
  issued: Partial<Record<CredentialKey, Credential>>,
  isLoopback: boolean,
): Environment {
  const { ACCESS_TOKEN: accessToken, API_KEY: apiKey, FRIEND_ACCESS_TOKEN: friendToken } = { ...given, ...issued };
  const secrets = Object.values(given);
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
    ...definedFields({ accessToken, apiKey }),
  };
  keepSecrets(secrets);
  return {
    ...ownSettings(values),
    name,
    isLoopback,
    caller,
    friend: definedFields({ userId: values.FRIEND_USER_ID, accessToken: friendToken }),
    secrets,
    addresses: Object.fromEntries(areaIds.map((area) => [area, values[areas[area].addressKey]])) as Record<AreaId, URL>,
    allowedEffects: new Set(
      [...(values.ALLOWED_EFFECTS ?? [])].filter((each) => !values.KEEP_ITEMS || each !== 'irreversible'),
    ),
    requestTimeoutMs: values.REQUEST_TIMEOUT_MS as number,
    consistencyTimeoutMs: values.CONSISTENCY_TIMEOUT_MS as number,
    slowAfterMs: values.SLOW_AFTER_MS as number,
    maxAnswerBytes: values.MAX_ANSWER_BYTES as number,
    maxHeaderBytes: values.MAX_HEADER_BYTES as number,
    blockListSegments: values.BLOCK_LIST_SEGMENTS as { n1: string; n2: string },
    rateLimits: {
      retryAfterLimitMs: values.RETRY_AFTER_LIMIT_MS as number,
      ...definedFields({
        maxRequestsPerSecond: values.MAX_REQUESTS_PER_SECOND,
        maxConcurrency: values.MAX_CONCURRENCY,
      }),
    },
    ...definedFields({
      successWhen: values.SUCCESS_WHEN,
      readProfile: values.FRIEND_PROFILE_REQUEST,
      runHeader: values.RUN_ID_HEADER,
      sendsTraceparent: values.SEND_TRACEPARENT,
    }),
  };
}

function ownSettings(values: Values) {
  return {
    /** Whether drift (a response differs from earlier ones) fails a scenario or is only a warning. `endScenario` applies this setting. */
    drift: values.DRIFT as 'fail' | 'warn',
    data: {
      storedItemIds: values.STORED_ITEM_IDS ?? [],
      /** The number of ids in STORED_ITEM_IDS. A drill may reduce `storedItemIds` to the ids that are still unused. */
      itemsInFile: values.STORED_ITEM_IDS?.length ?? 0,
      otherUserIds: values.OTHER_USER_IDS ?? [],
      reportLanguages: values.REPORT_LANGUAGES ?? [],
      ...definedFields({
        reportLanguage: values.REPORT_LANGUAGE,
        storyId: values.STORY_ID,
        avatarItemIds: values.AVATAR_ITEM_IDS,
        avatarDesignId: values.AVATAR_DESIGN_ID,
        otherStoryId: values.OTHER_STORY_ID,
        otherClientId: values.OTHER_CLIENT_ID,
        flagKey: values.FLAG_KEY,
        flagValue: values.FLAG_VALUE,
        fromClientId: values.FROM_CLIENT_ID,
        typeName: values.TYPE_NAME,
        typeVersion: values.TYPE_VERSION,
      }),
    },
    monitoring: {
      /** Intervals between a scenario's runs in the monitor, in ms, by a tag of the scenario, without its `@`. */
      everyMsByTag: values.MONITOR_EVERY_BY_TAG ?? new Map<string, number>(),
      maintenance: values.MAINTENANCE ?? [],
      ...definedFields({ everyMs: values.MONITOR_EVERY }),
    },
    keepsItems: values.KEEP_ITEMS ?? false,
    mayBeUnproven: values.MAY_BE_UNPROVEN ?? new Set<CallableId>(),
    requestBudget: values.REQUEST_BUDGET as number,
    certificateWarningDays: values.CERTIFICATE_WARNING_DAYS as number,
    /** Remaining time, in ms, below which Sextant warns that a credential expires. */
    credentialWarningMs: values.CREDENTIAL_WARNING as number,
    ...definedFields({ provisionUrl: values.PROVISION_URL, traceUrl: values.TRACE_URL }),
  };
}

type OwnSettings = Readonly<ReturnType<typeof ownSettings>>;

/** The addresses of an embedded service, without a trailing slash. */
export interface Listening {
  readonly addresses: Readonly<Record<AreaId, string>>;
  readonly provisionUrl: string;
}

/** Whether Sextant starts the embedded service for an environment: one that is named `local` and has only loopback addresses. */
export function isEmbedded({ name, isLoopback }: Environment): boolean {
  return name === EMBEDDED && isLoopback;
}

/** `environment` with the addresses of an embedded service on other ports. The result has a provisioner only if `environment` has one. */
export function atService(environment: Environment, { addresses, provisionUrl }: Listening): Environment {
  return {
    ...environment,
    addresses: Object.fromEntries(areaIds.map((area) => [area, new URL(`${addresses[area]}/`)])) as Record<AreaId, URL>,
    ...(environment.provisionUrl ? { provisionUrl: new URL(`${provisionUrl}/`) } : {}),
  };
}

/** Variable that gives the processes of a run the first port of the embedded service, if the usual ports were in use. */
export const LOCAL_PORT_VARIABLE = 'SEXTANT_LOCAL_PORT';

/** An embedded environment on consecutive ports from `first` on: the areas in order, then the provisioner. */
export function atPort(environment: Environment, first: number): Environment {
  const at = (index: number) => `http://127.0.0.1:${first + index}`;
  const addresses = Object.fromEntries(areaIds.map((area, index) => [area, at(index)])) as Listening['addresses'];
  return atService(environment, { addresses, provisionUrl: at(areaIds.length) });
}
