import { dirname } from 'node:path';
import { keepSecrets, type Route, Secret } from '../../client/index.ts';
import { fileRoles } from '../../config/files/index.ts';
import {
  ConfigurationError,
  checkKeys,
  counted,
  inClear,
  isLoopbackHost,
  type KeyProblem,
  present,
  proxyRoute,
  readVariables,
  readVariablesIfAny,
  unknownKeys,
  withSecretFiles,
} from '../../config/index.ts';
import type { Send } from '../alerting/channel.ts';
import { channelTypes } from '../alerting/channels/registry.ts';
import { type SettingName, type SettingValues, settingKeys } from './keys.ts';

interface SettingSources {
  /** The settings file; it may be missing unless `isNamed`. */
  readonly file: string;
  readonly isNamed: boolean;
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
  const inFile = withSecretFiles(read(file, fileRoles.settings), names, fileRoles.secrets, dirname(file));
  const inProcess = withSecretFiles(fromProcess(process), names, fileRoles.secrets);
  const given = present({ ...inFile.given, ...inProcess.given, ...flags }) as Given;
  const { values, problems: ofSettings } = checkKeys(settingKeys, given);
  const { PROXY_PASSWORD: password, PROXY_IN_CLEAR } = values as SettingValues;
  const secrets = password === undefined ? {} : { PROXY_PASSWORD: new Secret(password) };
  keepSecrets(Object.values(secrets));
  const { route, problems: ofRoute } = proxyRoute({ values: values as SettingValues, secrets, process });
  const { channels, problems: ofChannels } = openChannels(given, route);
  // An address in the clear would show the proxy what it holds, which may be a credential.
  const ofWay = [...channelKeys, 'HEARTBEAT_URL'].flatMap((key) => {
    const url = URL.parse(given[key] ?? '');
    return route && url ? inClear(key, url, route, { PROXY_IN_CLEAR }) : [];
  });
  const unknown = unknownKeys(present(inFile.given) as Given, names);
  const problems = [
    ...ofSettings.map(({ key, text }) => `${placeOf(key, file, inFile.given, flags)}  ${key}  ${text}`),
    ...[...inFile.problems, ...ofRoute, ...ofChannels, ...ofWay, ...unknown].map(
      ({ key, text }) => `${file}  ${key}  ${text}`,
    ),
    ...inProcess.problems.map(({ key, text }) => `${PROCESS}  MONITOR_${key}  ${text}`),
  ];
  const settings = toSettings(values as SettingValues, channels, route);
  const guard = whyUnguarded(settings);
  for (const name of settings.routes.keys())
    if (!channels.has(name)) problems.push(`${file}  CHANNELS  channel ${name} is not configured`);
  if (guard) problems.push(`${file}  ${guard}`);
  if (problems.length === 0) return settings;
  const headline = `The monitor's settings have ${counted(problems.length, 'problem')}:`;
  throw new ConfigurationError([headline, ...problems.map((text) => `  ${text}`)].join('\n'));
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
  if (isLoopbackHost(listen) || isPublic || token) return undefined;
  return `TOKEN  is missing: the page listens on ${listen}, which other machines can reach; set TOKEN, or PUBLIC=yes to show only states and uptime`;
}

/** The monitor's settings, checked: what each is for stands at its key. */
export type Settings = Readonly<ReturnType<typeof toSettings>>;

function toSettings(values: SettingValues, channels: ReadonlyMap<string, Send>, route: Route | undefined) {
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
      ...present({ notJudgedAfterMs: values.NOT_JUDGED_AFTER }),
    },
    slo: values.SLO as number,
    keepRunsMs: values.KEEP_RUNS as number,
    channels,
    routes: values.CHANNELS ?? new Map<string, readonly string[]>(),
    ...present({
      pageUrl: values.PAGE_URL,
      token: values.TOKEN,
      location: values.LOCATION,
      connectivityProbe: values.CONNECTIVITY_PROBE,
      heartbeatUrl: values.HEARTBEAT_URL,
      // To the channels and the dead man's switch.
      route,
    }),
  };
}

const channelKeys: readonly string[] = Object.values(channelTypes).flatMap(({ keys }) => Object.keys(keys));

/** The channels whose keys are set; a half-configured channel is a problem. Problems never show a value: it may be secret. */
function openChannels(given: Given, route: Route | undefined) {
  const channels = new Map<string, Send>();
  const all: KeyProblem[] = [];
  for (const [name, { keys, open }] of Object.entries(channelTypes)) {
    if (!Object.keys(keys).some((key) => given[key]?.trim())) continue;
    const { values, problems } = checkKeys(keys, given, name);
    if (problems.length === 0) {
      const send = open(values as Record<string, string>);
      channels.set(name, route ? (notice, sending) => send(notice, { ...sending, route }) : send);
    }
    all.push(...problems);
  }
  return { channels, problems: all };
}
