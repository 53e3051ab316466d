export { type FileRole, FileTrouble, fileRoles, unlessFileTrouble } from './file-trouble.ts';
export {
  appendText,
  assertRegularFile,
  assertWritableFile,
  assertWritableFolder,
  guarded,
  isFolder,
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
