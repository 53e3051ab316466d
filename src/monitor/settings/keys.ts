import {
  type Checked,
  duration,
  everyDuration,
  integer,
  type KeyEntry,
  key,
  keys,
  oneOf,
  secretKeys,
  text,
  wrong,
} from '../../environment/index.ts';
import type { HostPort } from '../../run/index.ts';
import { credential, credentialAddress, longSecret, webAddress } from '../alerting/channel.ts';
import { channelPatterns } from '../alerting/routes.ts';

/** Every monitor setting except those of the channels. Loading, messages and documentation all use this list. */
export const settingKeys = {
  EVERY: key(everyDuration, 'how often each scenario runs, unless its environment sets its own interval', '60s'),
  DATA: key(text, 'folder for the history', './monitor-data'),
  LISTEN: key(listenHost, 'address that the status page listens on', '127.0.0.1'),
  PORT: key(integer(0, 65_535), 'port of the status page; 0 picks a free one', '9464'),
  PAGE_URL: key(pageAddress, 'public address of the status page, for links in notices'),
  RUNBOOK_URL: key(
    webAddress,
    'page that says what to do, linked in notices at its section, e.g. #sextantscenariofailing as in docs/runbook.md; absent: the incident’s own page',
  ),
  PUBLIC: key(yesOrNo, 'show states and uptime without a token, but no reasons or addresses', 'no'),
  TOKEN: credential(key(longSecret, 'token that grants access to the whole page, at least 16 characters')),
  CONFIRM_AFTER: key(
    duration('0s', '5m'),
    'how long the monitor repeats a failed run before the failure counts',
    '10s',
  ),
  NOTIFY_ON: key(
    oneOf(['down', 'degraded']),
    'down, or degraded: also sends warnings about scenarios that are slow or otherwise degraded in two runs in a row',
    'down',
  ),
  DOWN_AFTER: key(integer(1, 20), 'consecutive confirmed failures before a scenario is down', '1'),
  UP_AFTER: key(integer(1, 20), 'consecutive good runs before it is up again', '2'),
  REMIND_AFTER: key(duration('1m', '30d'), 'interval between reminders while something is still down', '6h'),
  GATHER: key(duration('0s', '1h'), 'how long to collect further scenarios of an incident into one notice', '1m'),
  CHANNELS: key(
    channelPatterns,
    'which notices a channel gets, by environments and tags (an area is a tag), e.g. pagerduty=prod-*|@friends, slack=qa; a channel that is not named gets all',
  ),
  NOT_JUDGED_AFTER: key(
    duration('1m', '7d'),
    'how long runs may stay without a judgement before the monitor sends a notice of that; absent: 15 min or three intervals, whichever is longer',
  ),
  SLO: key(percentage, 'service-level objective: percentage of first attempts that must pass in 30 days', '99.9'),
  KEEP_RUNS: key(duration('4d', '400d'), 'how long each run is kept; hours and days are kept forever', '30d'),
  LOCATION: key(text, 'where this monitor runs, e.g. fra-1: a label of all its metrics'),
  CONNECTIVITY_PROBE: key(hostPort, 'host:port to test this machine’s own network when nothing responds'),
  PROXY: keys.PROXY,
  NO_PROXY: keys.NO_PROXY,
  PROXY_USERNAME: keys.PROXY_USERNAME,
  PROXY_PASSWORD: credential(key(text, secretKeys.PROXY_PASSWORD)),
  PROXY_IN_CLEAR: keys.PROXY_IN_CLEAR,
  HEARTBEAT_URL: credentialAddress(
    key(webAddress, 'dead man’s switch, pinged every round: …/start, then the address itself or …/fail'),
  ),
} as const;

export type SettingName = keyof typeof settingKeys;

type ValueOf<K> = K extends KeyEntry<infer T> ? T : never;

/** Checked settings. A setting without a default may be absent. */
export type SettingValues = { readonly [K in SettingName]: ValueOf<(typeof settingKeys)[K]> | undefined };

/** Reads `99.9` as 0.999. An objective of 100 is refused, because it would leave no error budget. */
function percentage(value: string): Checked<number> {
  const number = Number(value);
  return /^\d+(\.\d+)?$/.test(value) && number >= 50 && number < 100
    ? { value: number / 100 }
    : wrong(value, 'is not a percentage from 50 to below 100; expected e.g. 99.9');
}

function yesOrNo(value: string): Checked<boolean> {
  if (/^(yes|true|on|1)$/i.test(value)) return { value: true };
  return /^(no|false|off|0)$/i.test(value) ? { value: false } : wrong(value, 'is neither yes nor no');
}

/** A host without a port, because the setting PORT has the port. Refuses a plain number, because a URL parser would take it for a host. */
function listenHost(value: string): Checked<string> {
  if (/^(?!\d+$)[\w.-]+$|^[\da-f]*(?::[\da-f]*){2,}$/i.test(value)) return { value };
  const expected = 'expected e.g. 127.0.0.1, or 0.0.0.0 for every address; the port is PORT (--port)';
  return wrong(value, `is not an address to listen on; ${expected}`);
}

function hostPort(value: string): Checked<HostPort> {
  const [, host, port] = /^\[?([^\s/[\]]+?)\]?:(\d{1,5})$/.exec(value) ?? [];
  const isPort = Number(port) > 0 && Number(port) <= 65_535;
  return host && isPort
    ? { value: { host, port: Number(port) } }
    : wrong(value, 'is not host:port; expected e.g. 1.1.1.1:443');
}

/** The public address of the page, with a trailing slash added. */
function pageAddress(value: string): Checked<string> {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) return wrong(value, 'is not an http:// or https:// URL');
  return { value: url.href.replace(/\/?$/, '/') };
}
