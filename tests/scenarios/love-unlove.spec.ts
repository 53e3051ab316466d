import { scenario } from '../../fixtures/index.ts';

scenario('love, then unlove', { tag: ['@stories', '@reversible'] }, async ({ stories, story, defer }) => {
  await stories.love({ storyId: story.id }).succeeds();
  defer(() => stories.unlove({ storyId: story.id }).settles());
  await stories.unlove({ storyId: story.id }).succeeds();

  await stories.love({ storyId: story.id }).succeeds('assumed: a story that was unloved can be loved again');
  await stories.unlove({ storyId: story.id }).succeeds('assumed: a story that was loved again can be unloved again');
});

scenario(
  'love an unknown story',
  { tag: ['@stories', '@reversible'] },
  async ({ stories, data, answersAsBefore, defer }) => {
    const storyId = data.id();
    defer(() => stories.unlove({ storyId }).settles());
    answersAsBefore(await stories.love({ storyId }).isDecided(), 'an unknown story');
  },
);
