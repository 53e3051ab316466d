import { AvatarStore } from './avatars.ts';
import { BlockStore } from './blocks.ts';
import { ServiceDatabase, Store } from './database.ts';
import { FlagStore } from './flags.ts';
import { ItemStore } from './items.ts';
import { ProfileStore } from './profiles.ts';
import { seed } from './seed.ts';
import { StoryStore } from './stories.ts';
import { TypeStore } from './types.ts';
import { UserStore } from './users.ts';

/** The complete state of the service. */
export class State extends Store {
  readonly users = new UserStore(this.database);
  readonly blocks = new BlockStore(this.database);
  readonly stories = new StoryStore(this.database);
  readonly types = new TypeStore(this.database);
  readonly avatars = new AvatarStore(this.database);
  readonly profiles = new ProfileStore(this.database);
  readonly flags = new FlagStore(this.database);
  readonly items = new ItemStore(this.database);

  constructor(file = ':memory:') {
    super(new ServiceDatabase(file));
    seed(this);
  }

  close(): void {
    this.database.close();
  }
}
