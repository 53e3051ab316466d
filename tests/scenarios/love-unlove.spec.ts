import { scenario } from '../../fixtures/index.ts';

scenario('love, then unlove', { tag: ['@stories', '@reversible'] }, async ({ stories, story, defer }) => {
  await stories.love({ storyId: story.id }).succeeds();
  defer(() => stories.unlove({ storyId: story.id }).settles());
  await stories.unlove({ storyId: story.id }).succeeds();

  await stories.love({ storyId: story.id }).succeeds('assumed: a story that was unloved can be loved again');
  await stories.unlove({ storyId: story.id }).succeeds('assumed: a story that was loved again can be unloved again');
});

scenario('a love is kept', { tag: ['@stories', '@reversible'] }, async ({ unlisted, story }) => {
  await unlisted.isKept(story);
});

scenario(
  'unloving one story leaves the other loved',
  { tag: ['@stories', '@reversible'] },
  async ({ unlisted, story, anotherStory }) => {
    await unlisted.isLeftAlone(anotherStory, story);
  },
);

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
