import { scenario } from '../../fixtures/index.ts';

scenario('two languages have their own options', { tag: ['@stories', '@read'] }, async ({ speaksTwoLanguages }) => {
  await speaksTwoLanguages();
});
