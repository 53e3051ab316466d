import { checkKeys, type KeyProblem } from '../../config/index.ts';
import type { Send } from '../alerting/channel.ts';
import { channelTypes } from '../alerting/registry.ts';

/** The keys of all channels. */
export const channelKeys: readonly string[] = Object.values(channelTypes).flatMap(({ keys }) => Object.keys(keys));

/** The channels whose keys are set; a half-configured channel is a problem. Problems never show a value: it may be secret. */
export function openChannels(given: Readonly<Record<string, string>>): {
  readonly channels: ReadonlyMap<string, Send>;
  readonly problems: readonly KeyProblem[];
} {
  const channels = new Map<string, Send>();
  const all: KeyProblem[] = [];
  for (const [name, { keys, open }] of Object.entries(channelTypes)) {
    if (!Object.keys(keys).some((key) => given[key]?.trim())) continue;
    const { values, problems } = checkKeys(keys, given, { purpose: ` for channel ${name}`, areSecret: true });
    if (problems.length === 0) channels.set(name, open(values as Record<string, string>));
    all.push(...problems);
  }
  return { channels, problems: all };
}
