import {
  type AreaId,
  areas,
  type CallableId,
  type Effect,
  operation,
  operationIds,
  readProfile,
} from '../../src/spec/index.ts';

/** Operations of one area and one effect, whose facts are checked in one scenario. */
export interface FactCase {
  readonly title: string;
  readonly tag: string[];
  readonly operations: readonly CallableId[];
}

export function factCases(): FactCase[] {
  const entries = [
    ...operationIds.map((id) => ({ id: id as CallableId, area: operation(id).area, effect: operation(id).effect })),
    { id: readProfile.id as CallableId, area: readProfile.area, effect: readProfile.effect },
  ];
  const groups = new Map<string, { area: AreaId; effect: Effect; operations: CallableId[] }>();
  for (const { id, area, effect } of entries) {
    const group = groups.get(`${area} ${effect}`) ?? { area, effect, operations: [] };
    group.operations.push(id);
    groups.set(`${area} ${effect}`, group);
  }
  return [...groups.values()].map(({ area, effect, operations }) => ({
    title: `what a survey found of ${areas[area].title.toLowerCase()} is still so (${effect})`,
    tag: [`@${area}`, `@${effect}`],
    operations,
  }));
}
