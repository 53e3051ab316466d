import { deleteModel, saveModel, scenario, setModel, setModelAtOnce } from '../../fixtures/index.ts';

const ofFriends = ['@friends', '@reversible'];

scenario('any order of avatar saves is done', { tag: ['@profile', '@overwriting'] }, async ({ modelTest }) => {
  await modelTest(saveModel('saveAvatar'));
});

scenario(
  'any order of blocks, unblocks and looks agrees with a model of sets',
  { tag: ofFriends },
  async ({ modelTest }) => {
    await modelTest(setModel('block'));
  },
);

scenario('two users who block and unblock at once leave both lists true', { tag: ofFriends }, async ({ modelTest }) => {
  await modelTest(setModelAtOnce('block'));
});

scenario('any order of deletes takes each item once', { tag: ['@storage', '@irreversible'] }, async ({ modelTest }) => {
  await modelTest(deleteModel('deleteItem'));
});

scenario('any order of loves and unloves is done', { tag: ['@stories', '@reversible'] }, async ({ modelTest }) => {
  await modelTest(setModel('love'));
});
