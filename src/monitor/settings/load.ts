import { keepSecrets, Secret } from '../../client/index.ts';
import { fileRoles } from '../../config/files/index.ts';
import {
  ConfigurationError,
  checkKeys,
  counted,
  proxyRoute,
  readVariables,
  readVariablesIfAny,
  unknownKeys,
  withSecretFiles,
} from '../../config/index.ts';
import type { Send } from '../alerting/channel.ts';
import { routesOf } from '../alerting/routes.ts';
import { channelKeys, clearProblems, openChannels } from './channels.ts';
import { type SettingName, type SettingValues, settingKeys } from './keys.ts';
import type { Settings } from './settings.ts';

export interface SettingSources {
  /** The settings file; it may be missing unless `isNamed`. */
  readonly file: string;
  readonly isNamed: boolean;
  /** Command-line options, by key. */
  readonly flags: Readonly<Partial<Record<SettingName, string>>>;
  /** `MONITOR_<KEY>` overrides the file, so that secrets need no file. */
  readonly process: Readonly<Record<string, string | undefined>>;
}

type Given = Readonly<Record<string, string>>;

const PROCESS = 'process environment';

/** @throws ConfigurationError that lists every problem at once. */
export function loadSettings({ file, isNamed, flags, process }: SettingSources): Settings {
  const read = isNamed ? readVariables : readVariablesIfAny;
  const names = [...Object.keys(settingKeys), ...channelKeys];
  const inFile = withSecretFiles(read(file, fileRoles.settings), names, fileRoles.secrets);
  const inProcess = withSecretFiles(fromProcess(process), names, fileRoles.secrets);
  const given = present({ ...inFile.given, ...inProcess.given, ...flags });
  const { values, problems: ofSettings } = checkKeys(settingKeys, given);
  const { PROXY_PASSWORD: password, PROXY_IN_CLEAR: isInClear = false } = values as SettingValues;
  const secrets = password === undefined ? {} : { PROXY_PASSWORD: new Secret(password) };
  keepSecrets(Object.values(secrets));
  const { route, problems: ofRoute } = proxyRoute({ values: values as SettingValues, secrets, process });
  const way = { isInClear, ...(route ? { route } : {}) };
  const { channels, problems: ofChannels } = openChannels(given, way);
  const ofHeartbeat = clearProblems('HEARTBEAT_URL', given.HEARTBEAT_URL, way);
  const unknown = unknownKeys(present(inFile.given), names);
  const problems = [
    ...ofSettings.map(({ key, text }) => `${placeOf(key, file, inFile.given, flags)}  ${key}  ${text}`),
    ...[...inFile.problems, ...ofRoute, ...ofChannels, ...ofHeartbeat, ...unknown].map(
      ({ key, text }) => `${file}  ${key}  ${text}`,
    ),
    ...inProcess.problems.map(({ key, text }) => `${PROCESS}  MONITOR_${key}  ${text}`),
  ];
  const settings = { ...toSettings(values as SettingValues, channels), ...(route ? { route } : {}) };
  const guard = whyUnguarded(settings);
  for (const name of settings.routes?.keys() ?? [])
    if (!channels.has(name)) problems.push(`${file}  CHANNELS, ESCALATE  channel ${name} is not configured`);
  if (guard) problems.push(`${file}  ${guard}`);
  if (problems.length > 0) throw settingsError(problems);
  return settings;
}

/** Without the keys that have no value. */
function present(given: Readonly<Record<string, string | undefined>>): Given {
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

function settingsError(problems: readonly string[]): ConfigurationError {
  const headline = `The monitor's settings have ${counted(problems.length, 'problem')}:`;
  return new ConfigurationError([headline, ...problems.map((text) => `  ${text}`)].join('\n'));
}

function fromProcess(process: SettingSources['process']): Given {
  const entries = Object.entries(process).flatMap(([name, value]) =>
    name.startsWith('MONITOR_') && value ? [[name.slice('MONITOR_'.length), value] as const] : [],
  );
  return Object.fromEntries(entries);
}

function placeOf(name: string, file: string, inFile: object, flags: SettingSources['flags']): string {
  if (Object.hasOwn(flags, name)) return 'command line';
  return Object.hasOwn(inFile, name) ? file : `${PROCESS} (MONITOR_…)`;
}

function whyUnguarded({ listen, isPublic, token }: Settings): string | undefined {
  const isLoopback = /^(localhost|127(\.\d+){3}|::1)$/.test(listen);
  if (isLoopback || isPublic || token) return undefined;
  return `TOKEN  is missing: the page listens on ${listen}, which other machines can reach; set TOKEN, or PUBLIC=yes to show only states and uptime`;
}

function toSettings(values: SettingValues, channels: ReadonlyMap<string, Send>): Settings {
  const { PAGE_URL, RUNBOOK_URL, TOKEN, LOCATION, CONNECTIVITY_PROBE, HEARTBEAT_URL } = values;
  return {
    everyMs: values.EVERY as number,
    data: values.DATA as string,
    listen: values.LISTEN as string,
    port: values.PORT as number,
    heapMb: values.HEAP as number,
    isPublic: values.PUBLIC as boolean,
    confirmAfterMs: values.CONFIRM_AFTER as number,
    rule: {
      downAfter: values.DOWN_AFTER as number,
      upAfter: values.UP_AFTER as number,
      remindAfterMs: values.REMIND_AFTER as number,
      gatherMs: values.GATHER as number,
      ...(values.NOT_JUDGED_AFTER === undefined ? {} : { notJudgedAfterMs: values.NOT_JUDGED_AFTER }),
    },
    slo: values.SLO as number,
    keepRunsMs: values.KEEP_RUNS as number,
    channels,
    routes: routesOf(values.CHANNELS, values.ESCALATE),
    ...(PAGE_URL ? { pageUrl: PAGE_URL } : {}),
    ...(RUNBOOK_URL ? { runbookUrl: RUNBOOK_URL } : {}),
    ...(TOKEN ? { token: TOKEN } : {}),
    ...(LOCATION ? { location: LOCATION } : {}),
    ...(CONNECTIVITY_PROBE ? { connectivityProbe: CONNECTIVITY_PROBE } : {}),
    ...(HEARTBEAT_URL ? { heartbeatUrl: HEARTBEAT_URL } : {}),
  };
}
