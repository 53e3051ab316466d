import { blocks, blocksAtOnce, scenario } from '../../fixtures/index.ts';

const tag = ['@friends', '@reversible'];

scenario('any order of blocks, unblocks and looks agrees with a model of sets', { tag }, async ({ walk }) => {
  await walk(blocks);
});

scenario('two users who block and unblock at once leave both lists true', { tag }, async ({ walk }) => {
  await walk(blocksAtOnce);
});
