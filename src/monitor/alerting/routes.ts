import { matchesGlob } from 'node:path';
import { type Checked, ConfigurationError, didYouMean } from '../../environment/index.ts';
import type { Flip } from '../status/flip.ts';

/**
 * For each channel, the environments (names and patterns) and tags (after an `@`; an area is a tag) about which it gets notices. A channel
 * that isn't listed gets all notices.
 */
export type Routes = ReadonlyMap<string, readonly string[]>;

/** Tags of a scenario, with their `@`. */
export type TagsOf = (title: string) => readonly string[];

/** A group of channels with the same patterns, so all of them get the same notices. */
export interface NoticeRoute {
  /** The sorted patterns in one text, which identifies the route. Empty if the route gets all notices. */
  readonly name: string;
  readonly channels: readonly string[];
  readonly concerns: (hit: Pick<Flip, 'scenario'>) => boolean;
}

export function noticeRoutes(channels: readonly string[], routes: Routes, tagsOf: TagsOf): NoticeRoute[] {
  const byName = Map.groupBy(channels, (channel) => (routes.get(channel) ?? []).toSorted().join('|'));
  return [...byName].map(([name, own]) => ({
    name,
    channels: own,
    concerns: ({ scenario: { environment, title } }) => hearsOf(routes, own[0] ?? '', environment, tagsOf(title)),
  }));
}

/** Whether a channel gets notices about an environment, or about one of these tags. */
export function hearsOf(routes: Routes, channel: string, environment: string, tags: readonly string[] = []): boolean {
  const patterns = routes.get(channel) ?? ['*'];
  return patterns.some((pattern) => tags.includes(pattern) || matchesGlob(environment, pattern));
}

/** Reads the setting CHANNELS, e.g. `pagerduty=prod-*|@friends, slack=qa`. */
export function channelPatterns(value: string): Checked<Routes> {
  const environmentsByRoute = new Map<string, readonly string[]>();
  for (const part of value.split(',').filter((text) => text.trim())) {
    const [, channel, text] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(part) ?? [];
    if (!channel || !text)
      return {
        problem: `${JSON.stringify(part.trim())} is not a channel with environments or tags; expected e.g. pagerduty=prod-*|@friends, slack=qa`,
      };
    const patterns = text.split('|').map((pattern) => pattern.trim());
    if (patterns.includes('')) return { problem: `${channel}: is empty` };
    environmentsByRoute.set(channel, patterns);
  }
  return { value: environmentsByRoute };
}

/**
 * Checks that every tag in the routes exists.
 * @throws ConfigurationError for a tag that no scenario has, because its channel would stay silent.
 */
export function assertTagsKnown(routes: Routes, known: readonly string[]): void {
  for (const [channel, of] of routes) {
    const tag = of.find((pattern) => pattern.startsWith('@') && !known.includes(pattern));
    if (tag === undefined) continue;
    const hint = `${didYouMean(tag, known)}; there are ${known.join(', ')}`;
    throw new ConfigurationError(`CHANNELS  ${channel}: no scenario has the tag ${tag}${hint}`);
  }
}
