import type { ChannelKey, Send } from '../alerting/channel.ts';
import { channelTypes } from '../alerting/registry.ts';

/** The channels whose keys are set; a half-configured channel is a problem. Problems never show a value: it may be secret. */
export function openChannels(given: Readonly<Record<string, string>>): {
  readonly channels: ReadonlyMap<string, Send>;
  readonly known: readonly string[];
  readonly problems: readonly string[];
} {
  const channels = new Map<string, Send>();
  const problems: string[] = [];
  const known: string[] = [];
  for (const [name, { keys, open }] of Object.entries(channelTypes)) {
    const entries = Object.entries<ChannelKey>(keys);
    known.push(...entries.map(([key]) => key));
    if (!entries.some(([key]) => given[key]?.trim())) continue;
    const values: Record<string, string> = {};
    const before = problems.length;
    for (const [key, { check, required, meaning, fallback }] of entries) {
      const text = given[key]?.trim() || fallback;
      if (text === undefined) {
        if (required) problems.push(`${key}  is missing for channel ${name}; expected: ${meaning}`);
        continue;
      }
      const checked = check(text);
      if ('problem' in checked) problems.push(`${key}  ${checked.problem}; expected: ${meaning}`);
      else values[key] = checked.value;
    }
    if (problems.length === before) channels.set(name, open(values));
  }
  return { channels, known, problems };
}
