import { dirname } from 'node:path';
import { fileRoles } from '../../environment/files/index.ts';
import {
  ConfigurationError,
  checkKeys,
  counted,
  definedFields,
  inClear,
  isLoopbackHost,
  type KeyEntry,
  type KeyProblem,
  proxyRoute,
  readVariables,
  readVariablesIfAny,
  SHORTEST_SECRET,
  unknownKeys,
  withSecretFiles,
} from '../../environment/index.ts';
import type { Route } from '../../http/index.ts';
import { keepSecrets, Secret } from '../../redaction/index.ts';
import type { Send } from '../alerting/channel.ts';
import { channelTypes } from '../alerting/channels/registry.ts';
import { type SettingName, type SettingValues, settingKeys } from './keys.ts';

interface SettingSources {
  /** The settings file. It may be missing, unless the user named it (`isNamed`). */
  readonly file: string;
  readonly isNamed: boolean;
  readonly flags: Readonly<Partial<Record<SettingName, string>>>;
  /** The process environment. Its variables `MONITOR_<KEY>` override the file, so that secrets need no file. */
  readonly process: Readonly<Record<string, string | undefined>>;
}

type Given = Readonly<Record<string, string>>;

/**
 * Loads the monitor's settings.
 * @throws ConfigurationError that lists every problem at once.
 */
export function loadSettings({ file, isNamed, flags, process }: SettingSources): Settings {
  const read = isNamed ? readVariables : readVariablesIfAny;
  const names = Object.keys(allKeys);
  const ofProcess = Object.entries(process).filter(([name, value]) => name.startsWith(PREFIX) && value);
  const inProcess = Object.fromEntries(ofProcess.map(([name, value]) => [name.slice(PREFIX.length), value]));
  /** The sources of settings. If a key is in several of them, the last one applies. */
  const sources = [
    { place: `${file}  `, ...withSecretFiles(read(file, fileRoles.settings), names, fileRoles.secrets, dirname(file)) },
    { place: `process environment  ${PREFIX}`, ...withSecretFiles(inProcess, names, fileRoles.secrets) },
    { place: 'command line  ', given: flags as Readonly<Record<string, string | undefined>>, problems: [] },
  ];
  const given = Object.fromEntries(sources.flatMap((one) => Object.entries(definedFields(one.given)))) as Given;
  keepSecrets(credentialsIn(given));
  const placeOf = (key: string) => sources.findLast((source) => Object.hasOwn(source.given, key))?.place ?? `${file}  `;
  const checked = checkKeys(settingKeys, given);
  const values = checked.values as SettingValues;
  const { PROXY_PASSWORD: password, PROXY_IN_CLEAR } = values;
  const secrets = password === undefined ? {} : { PROXY_PASSWORD: new Secret(password) };
  const { route, problems: ofRoute } = proxyRoute({ values, secrets, process });
  const { channels, problems: ofChannels } = openChannels(given, route);
  // A proxy sees the whole of an http:// address, and parts of the address may be credentials. So an http:// address is a problem, unless
  // PROXY_IN_CLEAR allows it.
  const ofWay = [...channelKeys, 'HEARTBEAT_URL'].flatMap((key) => {
    const url = URL.parse(given[key] ?? '');
    return route && url ? inClear(key, url, route, { PROXY_IN_CLEAR }) : [];
  });
  const unknown = unknownKeys(definedFields(sources[0]?.given ?? {}) as Given, names).map((problem) =>
    problem.key === 'HEAP' ? { key: 'HEAP', text: HEAP_REMOVED } : problem,
  );
  const settings = toSettings(values, channels, route);
  const silent = [...settings.routes.keys()].filter((name) => !channels.has(name));
  const problems = [
    ...sources.flatMap(({ place, problems: found }) => found.map((problem) => ({ place, ...problem }))),
    ...[
      ...checked.problems,
      ...[...ofRoute, ...ofChannels, ...ofWay, ...unknown],
      ...silent.map((name) => ({ key: 'CHANNELS', text: `channel ${name} is not configured` })),
      ...whyUnguarded(settings),
    ].map((problem) => ({ place: placeOf(problem.key), ...problem })),
  ];
  if (problems.length === 0) return settings;
  const headline = `The monitor's settings have ${counted(problems.length, 'problem')}:`;
  const lines = problems.map(({ place, key, text }) => `  ${place}${key}  ${text}`);
  throw new ConfigurationError([headline, ...lines].join('\n'));
}

const HEAP_REMOVED = 'was removed; NODE_OPTIONS=--max-old-space-size=160 limits the memory, in MB';

/** Prefix of the monitor's keys in the process environment. */
const PREFIX = 'MONITOR_';

function whyUnguarded({ listen, isPublic, token }: Settings): KeyProblem[] {
  if (isLoopbackHost(listen) || isPublic || token) return [];
  const text = `is missing: the page listens on ${listen}, which other machines can reach; set TOKEN, or PUBLIC=yes to show only states and uptime`;
  return [{ key: 'TOKEN', text }];
}

/** The monitor's settings, checked; `settingKeys` explains each of them. */
export type Settings = Readonly<ReturnType<typeof toSettings>>;

function toSettings(values: SettingValues, channels: ReadonlyMap<string, Send>, route: Route | undefined) {
  return {
    everyMs: values.EVERY as number,
    data: values.DATA as string,
    listen: values.LISTEN as string,
    port: values.PORT as number,
    isPublic: values.PUBLIC as boolean,
    confirmAfterMs: values.CONFIRM_AFTER as number,
    rule: {
      downAfter: values.DOWN_AFTER as number,
      upAfter: values.UP_AFTER as number,
      remindAfterMs: values.REMIND_AFTER as number,
      gatherMs: values.GATHER as number,
      ...(values.NOTIFY_ON === 'degraded' ? { notifiesDegraded: true } : {}),
      ...definedFields({ notJudgedAfterMs: values.NOT_JUDGED_AFTER }),
    },
    slo: values.SLO as number,
    keepRunsMs: values.KEEP_RUNS as number,
    channels,
    routes: values.CHANNELS ?? new Map<string, readonly string[]>(),
    ...definedFields({
      pageUrl: values.PAGE_URL,
      runbookUrl: values.RUNBOOK_URL,
      token: values.TOKEN,
      location: values.LOCATION,
      connectivityProbe: values.CONNECTIVITY_PROBE,
      heartbeatUrl: values.HEARTBEAT_URL,
      // The way through a proxy to the channels and to the dead man's switch.
      route,
    }),
  };
}

const channelKeys = Object.values(channelTypes).flatMap(({ keys }) => Object.keys(keys));
/** The keys of the monitor and of all channels. */
export const allKeys: Readonly<Record<string, KeyEntry>> = Object.assign(
  { ...settingKeys },
  ...Object.values(channelTypes).map(({ keys }) => keys),
);

function credentialsIn(given: Given): Secret[] {
  const found = Object.entries(allKeys).flatMap(([key, { secrets }]) => secrets?.(given[key]?.trim() ?? '') ?? []);
  // Leave out secrets that are too short. Another check reports each of them as a problem, without its value.
  return found.filter(({ length }) => length >= SHORTEST_SECRET).map((value) => new Secret(value));
}

/**
 * Opens the channels whose keys are set. If some required keys of a channel are missing, reports a problem. Problems never contain a value,
 * because it may be secret.
 */
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
