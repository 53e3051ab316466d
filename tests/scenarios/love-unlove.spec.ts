import { scenario } from '../../fixtures/index.ts';

scenario('love, then unlove', { tag: ['@stories', '@reversible'] }, async ({ stories, story, defer }) => {
  await stories.love({ storyId: story.id }).succeeds();
  defer(() => stories.unlove({ storyId: story.id }).settles());
  await stories.unlove({ storyId: story.id }).succeeds();

  await stories.love({ storyId: story.id }).succeeds('assumed: a story that was unloved can be loved again');
  await stories.unlove({ storyId: story.id }).succeeds('assumed: a story that was loved again can be unloved again');
});

// No list shows which stories a user loves. So each look (`sees`) sends another love or unlove, as the caller or as the friend, and then an
// unlove. Other users may love the same story meanwhile, so the scenario fails only if three rounds look wrong.
scenario(
  'a love is kept',
  { tag: ['@stories', '@reversible'] },
  async ({ stories, story, facts, lovesShownBy, confirmed, defer }) => {
    const { sees, isUnlike } = await lovesShownBy(await facts.asked('love-shown', 'love'));
    const unlove = () => stories.unlove({ storyId: story.id }).settles();
    const round = async () => {
      await stories.love({ storyId: story.id }).succeeds();
      defer(unlove);
      const loved = await sees(story);
      // A call of `sees` that acts as the friend ends with the friend's unlove. So the second call shows whether that unlove also ended the
      // caller's love.
      const later = await sees(story, loved);
      await unlove();
      const unloved = await sees(story);
      return (
        isUnlike(loved, unloved) ?? isUnlike(later, unloved, "assumed: unlove story of one user leaves the other's")
      );
    };
    await confirmed(3, round, unlove);
  },
);

scenario(
  'unloving one story leaves the other loved',
  { tag: ['@stories', '@reversible'] },
  async ({ stories, story, anotherStory, facts, lovesShownBy, confirmed, unlessRefused, defer }) => {
    const { sees, isUnlike, isStill } = await lovesShownBy(await facts.asked('love-shown', 'love'));
    const unlove = () => stories.unlove({ storyId: story.id }).settles();
    const round = async () => {
      // `story` is loved last: a service where a user can love only one story keeps the last love.
      await stories.love({ storyId: anotherStory.id }).succeeds();
      defer(() => stories.unlove({ storyId: anotherStory.id }).settles());
      await stories.love({ storyId: story.id }).succeeds();
      defer(unlove);
      const undone = stories.unlove({ storyId: anotherStory.id }).isDecided();
      await unlessRefused(undone, 'unlove story of the first of two');
      const left = await sees(story);
      const later = await sees(story, left);
      await unlove();
      const unloved = await sees(story);
      const wrong =
        isUnlike(left, unloved, 'documented: unlove story undoes the love of that story, and no other') ??
        isStill(later, left, unloved, "assumed: unlove story of one user leaves the other's");
      if (!wrong) return wrong;
      // Either the unlove of `anotherStory` also undid the love of `story`, or responses never show a love. To find out which is true, the
      // scenario now loves only `story`.
      await unlove();
      await stories.love({ storyId: story.id }).succeeds();
      return isUnlike(await sees(story), unloved) ?? wrong;
    };
    await confirmed(3, round, unlove);
  },
);

scenario(
  'two users love one story',
  { tag: ['@stories', '@reversible'] },
  async ({ stories, asFriend, story, defer }) => {
    defer(() => stories.unlove({ storyId: story.id }).settles());
    defer(() => asFriend.stories.unlove({ storyId: story.id }).settles());
    await Promise.all([
      stories.love({ storyId: story.id }).succeeds(),
      asFriend.stories.love({ storyId: story.id }).succeeds('assumed: two users can love one story'),
    ]);
    await stories.unlove({ storyId: story.id }).succeeds();
    await asFriend.stories.unlove({ storyId: story.id }).succeeds("assumed: the other user's love stayed");
  },
);
