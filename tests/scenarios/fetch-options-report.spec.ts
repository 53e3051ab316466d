import { expect, KNOWN_REPORT_CODE, scenario } from '../../fixtures/index.ts';

scenario(
  'fetch options, then report',
  { tag: ['@stories', '@irreversible'] },
  async ({ stories, story, language, data, facts, takesEachCode }) => {
    const options = await stories.reportOptions({ language }).succeeds();
    expect(options, 'documented: the options contain the one documented code').toMention(KNOWN_REPORT_CODE);

    // The other codes that a report may have: the options show them in the same place as the known code.
    const others = options.alike(KNOWN_REPORT_CODE).filter((code) => code !== KNOWN_REPORT_CODE);
    const codes = [KNOWN_REPORT_CODE, ...others];
    // The service may let a user report a story only once, so the first report has as many codes as possible.
    const reports = facts.answer('codes-at-once', 'report') === 'some' ? codes.slice(0, 2) : codes;
    const response = await stories
      .report({ storyId: story.id, reports, message: data.text() })
      .isDecided('documented: the codes of a report come from the options, and a report may contain several');
    await takesEachCode(response, codes);
  },
);
