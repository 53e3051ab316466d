import { scenario } from '../../fixtures/index.ts';

scenario('clone type', { tag: ['@gameDesign', '@irreversible'] }, async ({ gameDesign, typeClone }) => {
  await gameDesign.cloneType(typeClone).succeeds('documented: a design type is cloned from one client to another');
});
