import { expect, KNOWN_REPORT_CODE, scenario } from '../../fixtures/index.ts';

scenario('two languages have their own options', { tag: ['@stories', '@read'] }, async ({ speaksTwoLanguages }) => {
  await speaksTwoLanguages((options) =>
    expect(options, 'documented: the one code that the document shows is among the options').toMention(
      KNOWN_REPORT_CODE,
    ),
  );
});
