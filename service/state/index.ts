export type { AvatarRecord } from './avatars.ts';
export type { ProfileRecord } from './profiles.ts';
export { seeded } from './seed.ts';
export { State } from './state.ts';
export type { User } from './users.ts';
