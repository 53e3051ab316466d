import { scenario } from '../../fixtures/index.ts';

scenario(
  'two users love one story',
  { tag: ['@stories', '@reversible'] },
  async ({ stories, asFriend, story, defer }) => {
    await stories.love({ storyId: story.id }).succeeds();
    defer(() => stories.unlove({ storyId: story.id }).settles());
    await asFriend.stories.love({ storyId: story.id }).succeeds('assumed: two users can love one story');
    defer(() => asFriend.stories.unlove({ storyId: story.id }).settles());

    await stories.unlove({ storyId: story.id }).succeeds();
    await asFriend.stories.unlove({ storyId: story.id }).succeeds("assumed: the other user's love stayed");
  },
);
