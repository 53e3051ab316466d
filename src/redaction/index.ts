/*
 * Masks secrets in texts, bytes and JSON values, in the spellings that software produces.
 * Its input is the secrets of a process (`keepSecrets`), and each text before it leaves the process.
 * It returns `Redacted` texts. An output accepts no other texts.
 */
export { withoutCommands } from './log-commands.ts';
export {
  guardOutput,
  keepSecrets,
  redact,
  redactAgain,
  redactBytes,
  redactJson,
  redactParts,
  writeCommands,
} from './redact.ts';
export { type Redacted, Redactor } from './redactor.ts';
export { MASK, Masked, Secret } from './secret.ts';
