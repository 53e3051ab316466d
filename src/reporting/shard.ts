import { type AreaId, areaIds, operation, operationIds } from '../spec/index.ts';

/** One part of a run that is divided over several jobs: the `index`th of `count`, from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** `2/4`, as Playwright writes it; `undefined` when it isn't that. */
export function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count ? shard : undefined;
}

/**
 * Areas that must stay in one shard: those that act as the environment's users, for a block in one may be seen in
 * another. An area that a key alone opens stands by itself.
 */
export function areasThatShareUsers(): readonly (readonly AreaId[])[] {
  const actAsUsers = new Set(
    operationIds
      .map((id) => operation(id))
      .filter(({ headerSet }) => headerSet === 'user')
      .map(({ area }) => area),
  );
  return [[...actAsUsers], ...areaIds.filter((area) => !actAsUsers.has(area)).map((area) => [area])];
}

/** The areas of one shard of an environment without a provisioner. Every job deals alike, so together they cover each area once. */
export function areasOfShard({ index, count }: Shard, groups = areasThatShareUsers()): AreaId[] {
  return groups.flatMap((group, position) => (position % count === index - 1 ? group : []));
}
