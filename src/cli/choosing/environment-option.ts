import { Option } from 'commander';

/** `--env` of commands that take several environments: a name, a pattern or a folder, repeatable. */
export function environmentOption(purpose: string): Option {
  return new Option(
    '--env <name>',
    `environment to ${purpose}: a name, a pattern ("prod-*") or a folder ("envs/"); repeat for several`,
  ).argParser((word: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), word]);
}
