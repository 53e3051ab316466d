import { expect, KNOWN_REPORT_CODE, scenario } from '../../fixtures/index.ts';

scenario(
  'two languages have their own options',
  { tag: ['@stories', '@read'] },
  async ({ stories, language, anotherLanguage, haveOwnWords }) => {
    const own = await stories.reportOptions({ language }).succeeds();
    const other = await stories.reportOptions({ language: anotherLanguage.code }).succeeds();
    // The options must contain the documented code only in a language that the team names, because a language that a survey found may have
    // other codes.
    if (anotherLanguage.isNamed)
      expect(other, 'documented: the options contain the one documented code').toMention(KNOWN_REPORT_CODE);
    await haveOwnWords(own, other);
  },
);
