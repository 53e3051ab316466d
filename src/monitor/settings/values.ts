import type { Checked } from '../../config/index.ts';
import type { HostPort } from '../../runner/index.ts';

/** `99.9`; gives 0.999. An objective of 100 would leave no error budget to speak of. */
export function percentage(value: string): Checked<number> {
  const number = Number(value);
  return /^\d+(\.\d+)?$/.test(value) && number >= 50 && number < 100
    ? { value: number / 100 }
    : { problem: `${JSON.stringify(value)} is not a percentage from 50 to below 100; expected e.g. 99.9` };
}

export function yesOrNo(value: string): Checked<boolean> {
  if (/^(yes|true|on|1)$/i.test(value)) return { value: true };
  if (/^(no|false|off|0)$/i.test(value)) return { value: false };
  return { problem: `${JSON.stringify(value)} is neither yes nor no` };
}

export function hostPort(value: string): Checked<HostPort> {
  const [, host, port] = /^\[?([^\s/[\]]+?)\]?:(\d{1,5})$/.exec(value) ?? [];
  const isPort = Number(port) > 0 && Number(port) <= 65_535;
  return host && isPort
    ? { value: { host, port: Number(port) } }
    : { problem: `${JSON.stringify(value)} is not host:port; expected e.g. 1.1.1.1:443` };
}

/** The public address of the page, with a trailing slash added. */
export function pageAddress(value: string): Checked<string> {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol))
    return { problem: `${JSON.stringify(value)} is not an http:// or https:// URL` };
  return { value: url.href.endsWith('/') ? url.href : `${url.href}/` };
}
