/*
 * Masks secrets in texts, bytes and JSON values, in the spellings that software produces.
 * It is given the secrets of a process (`keepSecrets`), and each text on its way out.
 * It returns `Redacted` texts, which are all that an output takes.
 */
export { withoutCommands } from './log-commands.ts';
export { guardOutput, keepSecrets, redact, redactBytes, redactJson, redactParts, writeCommands } from './redact.ts';
export { type Redacted, Redactor } from './redactor.ts';
export { MASK, Masked, Secret } from './secret.ts';
