import { expect, KNOWN_REPORT_CODE, scenario } from '../../fixtures/index.ts';

scenario(
  'fetch options, then report',
  { tag: ['@stories', '@irreversible'] },
  async ({ stories, story, language, data }) => {
    const options = await stories.reportOptions({ language }).succeeds();
    expect(options, 'documented: the one code that the document shows is among the options').toMention(
      KNOWN_REPORT_CODE,
    );

    const reports = options.alike(KNOWN_REPORT_CODE);
    await stories
      .report({ storyId: story.id, reports, message: data.text() })
      .succeeds('documented: the codes of a report come from the options');
  },
);
