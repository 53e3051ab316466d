import { present } from '../present.ts';
import type { Values } from './keys.ts';
import type { MonitoringSettings } from './monitoring-values.ts';

/** The suite's settings from an environment's file; `assemble.ts` has those of the client. */
export function ownSettings(values: Values) {
  const monitoring: MonitoringSettings = {
    everyMsByTag: values.MONITOR_EVERY_BY_TAG ?? new Map(),
    maintenance: values.MAINTENANCE ?? [],
    ...present({ everyMs: values.MONITOR_EVERY }),
  };
  return {
    /** The environment's test data. */
    data: {
      storedItemIds: values.STORED_ITEM_IDS ?? [],
      otherUserIds: values.OTHER_USER_IDS ?? [],
      reportLanguages: values.REPORT_LANGUAGES ?? [],
      ...present({
        reportLanguage: values.REPORT_LANGUAGE,
        storyId: values.STORY_ID,
        flagKey: values.FLAG_KEY,
        flagValue: values.FLAG_VALUE,
        fromClientId: values.FROM_CLIENT_ID,
        typeName: values.TYPE_NAME,
        typeVersion: values.TYPE_VERSION,
      }),
    },
    monitoring,
    /** Maximum number of requests per generated spec. */
    requestBudget: values.REQUEST_BUDGET as number,
    /** Warn about certificates that expire in fewer days. */
    certificateWarningDays: values.CERTIFICATE_WARNING_DAYS as number,
    /** Warn about credentials that expire sooner, in ms. */
    credentialWarningMs: values.CREDENTIAL_WARNING as number,
    ...present({ provisionUrl: values.PROVISION_URL }),
  };
}

export type OwnSettings = Readonly<ReturnType<typeof ownSettings>>;
