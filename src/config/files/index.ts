export { FileTrouble, unlessFileTrouble } from './file-trouble.ts';
export { type FileRole, fileRoles } from './roles.ts';
export {
  appendText,
  assertRegularFile,
  assertWritableFile,
  assertWritableFolder,
  claimFile,
  guarded,
  isThere,
  listFolder,
  makeFolder,
  readBytes,
  readText,
  readTextIfAny,
  realPath,
  remove,
  replaceText,
  scratchFolder,
} from './safe-file.ts';
