import { AvatarStore } from './avatars.ts';
import { BlockStore } from './blocks.ts';
import { ServiceDatabase } from './database.ts';
import { FlagStore } from './flags.ts';
import { ItemStore } from './items.ts';
import { ProfileStore } from './profiles.ts';
import { seed } from './seed.ts';
import { StoryStore } from './stories.ts';
import { TypeStore } from './types.ts';
import { UserStore } from './users.ts';

/** The complete state of the service. */
export class State {
  readonly users: UserStore;
  readonly blocks: BlockStore;
  readonly stories: StoryStore;
  readonly types: TypeStore;
  readonly avatars: AvatarStore;
  readonly profiles: ProfileStore;
  readonly flags: FlagStore;
  readonly items: ItemStore;
  readonly #database: ServiceDatabase;

  constructor(file = ':memory:') {
    const database = new ServiceDatabase(file);
    this.#database = database;
    this.users = new UserStore(database);
    this.blocks = new BlockStore(database);
    this.stories = new StoryStore(database);
    this.types = new TypeStore(database);
    this.avatars = new AvatarStore(database);
    this.profiles = new ProfileStore(database);
    this.flags = new FlagStore(database);
    this.items = new ItemStore(database);
    seed(this);
  }

  close(): void {
    this.#database.close();
  }
}
