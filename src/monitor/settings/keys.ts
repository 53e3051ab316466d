import { type Checked, duration, everyDuration } from '../../config/index.ts';
import { anyText, longSecret, webAddress } from '../alerting/keys.ts';
import { hostPort, pageAddress, percentage, wholeNumber, yesOrNo } from './values.ts';

interface SettingKey<T> {
  readonly check: (value: string) => Checked<T>;
  readonly meaning: string;
  readonly fallback?: string;
}

const key = <T>(check: (value: string) => Checked<T>, meaning: string, fallback?: string): SettingKey<T> => ({
  check,
  meaning,
  ...(fallback === undefined ? {} : { fallback }),
});

/** Every key of the monitor's settings beside those of the channels: the one list that loading and messages are made of. */
export const settingKeys = {
  EVERY: key(everyDuration, 'how often each scenario is run, where its environment says nothing else', '60s'),
  DATA: key(anyText, 'folder of the history', './monitor-data'),
  LISTEN: key(anyText, 'address that the page listens on', '127.0.0.1'),
  PORT: key(wholeNumber(0, 65_535), 'port of the page; 0 takes a free one', '9464'),
  PAGE_URL: key(pageAddress, 'address of the page as people reach it, for links in notices'),
  PUBLIC: key(yesOrNo, 'show states and uptime to everybody, without reasons and addresses', 'no'),
  TOKEN: key(longSecret, 'opens the whole page where it is guarded, at least 16 characters'),
  CONFIRM_AFTER: key(duration('0s', '5m'), 'how long after a red run the second attempt is made', '10s'),
  DOWN_AFTER: key(wholeNumber(1, 20), 'confirmed red runs in a row until a scenario is down', '1'),
  UP_AFTER: key(wholeNumber(1, 20), 'good runs in a row until it is up again', '2'),
  REMIND_AFTER: key(duration('1m', '30d'), 'how long until people are reminded of what is still down', '6h'),
  GATHER: key(duration('0s', '1h'), 'how long further scenarios of an incident are gathered into one notice', '1m'),
  SLO: key(
    percentage,
    'service-level objective: share of first attempts that must hold in 30 days, in percent',
    '99.9',
  ),
  CONNECTIVITY_PROBE: key(hostPort, 'host:port that tells, when nothing answers, whether this machine is cut off'),
  HEARTBEAT_URL: key(webAddress, 'dead man’s switch: pinged each round (…/start, itself, …/fail)'),
} as const;

export type SettingName = keyof typeof settingKeys;

type ValueOf<K> = K extends SettingKey<infer T> ? T : never;

/** Checked settings; those without a fallback may be absent. */
export type SettingValues = { readonly [K in SettingName]: ValueOf<(typeof settingKeys)[K]> | undefined };
