import { scenario } from '../../fixtures/index.ts';

scenario('clone type', { tag: ['@gameDesign', '@irreversible'] }, async ({ gameDesign, typeSource, data }) => {
  const { versionStart, ...source } = typeSource;
  const TypeVersion = data.version(versionStart);
  await gameDesign.cloneType({ ...source, TypeVersion, Files: [], IsSetDefaultTypeVersion: false }).succeeds();
});
