/** An area of the service: one base address per environment (specification, part 1). */
interface AreaEntry {
  readonly title: string;
  readonly addressKey: string;
  readonly purpose: string;
}

export const areas = {
  friends: { title: 'Friends', addressKey: 'FRIEND_URL', purpose: 'block and unblock users, list both directions' },
  stories: { title: 'Stories', addressKey: 'STORY_URL', purpose: 'love, unlove and report stories' },
  gameDesign: { title: 'Game design', addressKey: 'GAMEDESIGN_URL', purpose: 'clone a design type between clients' },
  profile: { title: 'Profile', addressKey: 'PROFILE_URL', purpose: 'avatar and profile of a user' },
  features: { title: 'Feature toggles', addressKey: 'FEATURES_URL', purpose: 'evaluate a flag for a context' },
  storage: { title: 'Storage', addressKey: 'STORAGE_URL', purpose: 'delete a stored item by id' },
} as const satisfies Record<string, AreaEntry>;

export type AreaId = keyof typeof areas;

export const areaIds = Object.keys(areas) as AreaId[];

/** The area whose address to use if one address of the service is enough. */
export const firstArea = areaIds[0] as AreaId;

/** The area's name for people. `all` means that a scenario uses every area. */
export function areaTitle(area: AreaId | 'all'): string {
  return area === 'all' ? 'All areas' : areas[area].title;
}
