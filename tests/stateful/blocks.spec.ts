import { scenario, setModel, setModelAtOnce } from '../../fixtures/index.ts';

const tag = ['@friends', '@reversible'];

scenario('any order of blocks, unblocks and looks agrees with a model of sets', { tag }, async ({ modelTest }) => {
  await modelTest(setModel('block'));
});

scenario('two users who block and unblock at once leave both lists true', { tag }, async ({ modelTest }) => {
  await modelTest(setModelAtOnce('block'));
});
