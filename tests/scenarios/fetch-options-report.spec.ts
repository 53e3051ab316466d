import { expect, KNOWN_REPORT_CODE, scenario } from '../../fixtures/index.ts';

scenario(
  'fetch options, then report',
  { tag: ['@stories', '@irreversible'] },
  async ({ stories, story, language, data, reportsEach }) => {
    const options = await stories.reportOptions({ language }).succeeds();
    expect(options, 'documented: the one code that the document shows is among the options').toMention(
      KNOWN_REPORT_CODE,
    );

    const others = options.alike(KNOWN_REPORT_CODE).filter((code) => code !== KNOWN_REPORT_CODE);
    await reportsEach({ storyId: story.id, reports: [KNOWN_REPORT_CODE, ...others], message: data.text() });
  },
);
