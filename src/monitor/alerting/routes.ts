import { matchesGlob } from 'node:path';
import { type Checked, ConfigurationError, didYouMean, duration } from '../../config/index.ts';
import { hasPassed } from '../status/elapsed.ts';
import type { Flip } from '../status/flip.ts';

/** What each channel is to hear of; one that isn't there hears of everything, at once. */
export interface Routes {
  /** Names and patterns of environments, and tags (an area is one) behind an `@`. */
  readonly patterns?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Only what nobody has acknowledged for so long, in ms. */
  readonly afterMs?: ReadonlyMap<string, number> | undefined;
}

/** Tags of a scenario, with their `@`. */
export type TagsOf = (title: string) => readonly string[];

/** Whether a channel is to hear of a failure by now. `acknowledged`: the last flip that somebody took on; `now` is an epoch, in ms. */
export function isRouted(
  routes: Routes,
  channel: string,
  hit: Flip,
  tagsOf: TagsOf,
  acknowledged: number,
  now: number,
): boolean {
  const isMeant = routes.patterns
    ?.get(channel)
    ?.some((pattern) =>
      pattern.startsWith('@')
        ? tagsOf(hit.scenario.title).includes(pattern)
        : matchesGlob(hit.scenario.environment, pattern),
    );
  const afterMs = routes.afterMs?.get(channel);
  if (isMeant === false || afterMs === undefined) return isMeant !== false;
  return hit.id > acknowledged && hasPassed(afterMs, hit.at, now);
}

/** `pagerduty=prod-*|@friends, slack=qa`. */
export function channelPatterns(value: string): ByChannel<readonly string[]> {
  const expected = 'a channel with environments or tags; expected e.g. pagerduty=prod-*|@friends, slack=qa';
  return listed(value, expected, (text) => {
    const patterns = text.split('|').map((pattern) => pattern.trim());
    return patterns.includes('') ? { problem: 'is empty' } : { value: patterns };
  });
}

/** `pagerduty=15m`. */
export function escalations(value: string): ByChannel<number> {
  return listed(value, 'a channel with a duration; expected e.g. pagerduty=15m', duration('1m', '7d'));
}

type ByChannel<T> = Checked<ReadonlyMap<string, T>>;

function listed<T>(value: string, expected: string, check: (text: string) => Checked<T>): ByChannel<T> {
  const found = new Map<string, T>();
  for (const part of value.split(',').filter((text) => text.trim())) {
    const [, channel, text] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(part) ?? [];
    if (!channel || !text) return { problem: `${JSON.stringify(part.trim())} is not ${expected}` };
    const checked = check(text);
    if ('problem' in checked) return { problem: `${channel}: ${checked.problem}` };
    found.set(channel, checked.value);
  }
  return { value: found };
}

/** @throws ConfigurationError for a tag that no scenario has: its channel would stay silent. */
export function assertTagsKnown({ patterns }: Routes, known: readonly string[]): void {
  for (const [channel, of] of patterns ?? []) {
    const tag = of.find((pattern) => pattern.startsWith('@') && !known.includes(pattern));
    if (tag === undefined) continue;
    const hint = `${didYouMean(tag, known)}; there are ${known.join(', ')}`;
    throw new ConfigurationError(`CHANNELS  ${channel}: no scenario has the tag ${tag}${hint}`);
  }
}
