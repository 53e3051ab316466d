import type { Route } from '../../client/index.ts';
import { checkKeys, inClear, type KeyProblem } from '../../config/index.ts';
import type { Send } from '../alerting/channel.ts';
import { channelTypes } from '../alerting/registry.ts';

/** The keys of all channels. */
export const channelKeys: readonly string[] = Object.values(channelTypes).flatMap(({ keys }) => Object.keys(keys));

/** The channels whose keys are set; a half-configured channel is a problem. Problems never show a value: it may be secret. */
export function openChannels(
  given: Readonly<Record<string, string>>,
  { route, isInClear = false }: { readonly route?: Route; readonly isInClear?: boolean } = {},
): {
  readonly channels: ReadonlyMap<string, Send>;
  readonly problems: readonly KeyProblem[];
} {
  const channels = new Map<string, Send>();
  const all: KeyProblem[] = [];
  for (const [name, { keys, open }] of Object.entries(channelTypes)) {
    if (!Object.keys(keys).some((key) => given[key]?.trim())) continue;
    const { values, problems } = checkKeys(keys, given, { purpose: ` for channel ${name}`, areSecret: true });
    if (problems.length === 0) {
      const send = open(values as Record<string, string>);
      channels.set(name, route ? (notice, sending) => send(notice, { ...sending, route }) : send);
    }
    all.push(...problems);
    for (const key of Object.keys(keys)) all.push(...clearProblems(key, given[key], { route, isInClear }));
  }
  return { channels, problems: all };
}

/** An address in the clear would show the proxy what it holds, which may be a credential. */
export function clearProblems(
  key: string,
  value: string | undefined,
  { route, isInClear }: { readonly route?: Route | undefined; readonly isInClear: boolean },
): KeyProblem[] {
  const url = value === undefined ? null : URL.parse(value);
  return route && url ? inClear(key, url, route, { PROXY_IN_CLEAR: isInClear || undefined }) : [];
}
