import { scenario } from '../../fixtures/index.ts';

scenario('love, then unlove', { tag: ['@stories', '@reversible'] }, async ({ stories, story, defer }) => {
  await stories.love({ storyId: story.id }).succeeds();
  defer(() => stories.unlove({ storyId: story.id }).settles());
  await stories.unlove({ storyId: story.id }).succeeds();

  await stories.love({ storyId: story.id }).succeeds('assumed: a story that was unloved can be loved again');
  await stories.unlove({ storyId: story.id }).succeeds('assumed: a story that was loved again can be unloved again');
});

// No list shows what a user loves. So each look is a further love or unlove by the caller or the friend, and an unlove follows it. Other users may
// love the same story meanwhile, so a result counts as wrong only if it looks wrong three times.
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
      // If the first look was a love by the friend, the friend has unloved the story since.
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
      // The order matters: if a user can love only one story, it is the second one.
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
      // Either this love was undone with the other one, or responses never show a love. A love of this story alone shows which.
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
