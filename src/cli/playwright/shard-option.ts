import { InvalidArgumentError, Option } from 'commander';
import { SELECTION_VARIABLE, TESTED_VARIABLE } from '../../reporting/index.ts';
import { areaTags, parseShard, SEED_VARIABLE, SHARD_VARIABLE, type Shard, sharedSeed } from '../../scenario/index.ts';
import { type AreaId, areaTitle } from '../../spec/index.ts';

/** `--shard 2/4` of `sextant test`. */
export function shardOption(): Option {
  return new Option('--shard <i/n>', 'only one of n parts, e.g. 2/4; `sextant report --merge` joins their results')
    .argParser(shard)
    .conflicts('ui');
}

function shard(text: string): Shard {
  const given = parseShard(text);
  if (!given) throw new InvalidArgumentError('Expected a part and their number, e.g. 2/4.');
  return given;
}

/** The process environment of a run of one shard: what its reporter must know, and the seed that all shards share. */
export function shardVariables(
  { index, count }: Shard,
  { environments, selection, seed }: { environments: readonly string[]; selection: string; seed?: string | undefined },
): Record<string, string> {
  return {
    [SHARD_VARIABLE]: `${index}/${count}`,
    [TESTED_VARIABLE]: environments.join(','),
    [SELECTION_VARIABLE]: selection,
    [SEED_VARIABLE]: seed || process.env[SEED_VARIABLE] || sharedSeed(),
  };
}

/** The arguments of Playwright for a shard: a pattern for its areas, or a free division (`areas` is undefined). */
export function shardArguments(
  { index, count }: Shard,
  areas: readonly AreaId[] | undefined,
): { readonly pattern?: string; readonly args: readonly string[] } {
  if (!areas) return { args: [`--shard=${index}/${count}`] };
  // An empty lookahead matches no test.
  const pattern = areas.length > 0 ? `(?=.*@(?:${areaTags(areas).join('|')})(?![\\w-]))` : '(?!)';
  return { pattern, args: [] };
}

/** What a shard plays, for the user. */
export function shardText({ index, count }: Shard, areas: readonly AreaId[] | undefined): string {
  const name = `Shard ${index} of ${count}`;
  if (!areas) return `${name}.\n`;
  const why = 'without a PROVISION_URL, areas that act as the same users stay together';
  if (areas.length === 0) return `${name} has nothing to do: ${why}.\n`;
  // Most tests are of these areas, and another machine can't know when one of them runs here.
  const isMost = areaTags(areas).includes('all');
  const advice = isMost
    ? 'Most tests are in this shard, so shards hardly shorten the run: run it whole, or set PROVISION_URL to divide it evenly.\n'
    : '';
  return `${name}: ${areas.map(areaTitle).join(', ')} (${why}).\n${advice}`;
}
