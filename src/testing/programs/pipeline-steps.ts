import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { writeFiles } from '../own-folder.ts';
import { startProgram } from './run-command.ts';

type Variables = Readonly<Record<string, string>>;

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Variables;
  readonly env?: Variables;
  readonly 'working-directory'?: string;
}

/** The machine of a pipeline: the checkout (`workspace`), a folder that outlives a job (`kept`), and variables. */
export interface Machine {
  readonly workspace: string;
  readonly kept: string;
  readonly env: Variables;
}

export interface Played {
  readonly code: number;
  readonly said: string;
  readonly steps: Readonly<Record<string, { readonly outputs: Variables }>>;
}

/**
 * Plays steps as GitHub's runner does, but on one machine: runs `run:` steps and actions of the checkout, keeps caches and artifacts in folders,
 * and skips any other action.
 */
export async function playSteps(steps: readonly Step[], contexts: object, machine: Machine): Promise<Played> {
  const { workspace, kept, env } = machine;
  const outputs: Record<string, { outputs: Variables }> = {};
  let [code, said] = [0, ''];
  for (const step of steps) {
    const known = {
      ...contexts,
      steps: outputs,
      always: () => true,
      cancelled: () => false,
      success: () => code === 0,
    };
    const value = (expression: string) => runInNewContext(expression, known) as unknown;
    const filled = (text: unknown) => String(text).replaceAll(/\$\{\{(.*?)\}\}/g, (_, each) => `${value(each) ?? ''}`);
    const all = (texts: Variables = {}) =>
      Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, filled(text)]));
    if (!value(step.if?.replace(/^\$\{\{|\}\}$/g, '') ?? 'success()')) continue;
    const { uses = '', run } = step;
    if (run !== undefined) {
      const output = join(kept, 'output');
      writeFiles(kept, { output: '' });
      const given = {
        ...env,
        ...all(step.env),
        GITHUB_OUTPUT: output,
        RUNNER_TEMP: join(kept, 'temp'),
      };
      const cwd = join(workspace, filled(step['working-directory'] ?? '.'));
      const ran = startProgram('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', filled(run)], {
        cwd,
        env: given,
      });
      code ||= (await ran.ended) ?? 1;
      said += ran.said();
      const pairs = readFileSync(output, 'utf8')
        .split('\n')
        .map((line) => line.split('='));
      outputs[step.id ?? ''] = { outputs: Object.fromEntries(pairs) };
    } else if (/^\.\/|^\//.test(uses)) {
      const folder = resolve(workspace, uses);
      const action = parse(readFileSync(join(folder, 'action.yml'), 'utf8'));
      const defaults = Object.entries(action.inputs as Record<string, { default?: string }>);
      const inputs = { ...Object.fromEntries(defaults.map(([key, each]) => [key, each.default])), ...all(step.with) };
      const inner = { ...machine, env: { ...env, ...all(step.env), GITHUB_ACTION_PATH: folder } };
      const played = await playSteps(action.runs.steps, { ...contexts, inputs }, inner);
      code ||= played.code;
      said += played.said;
      outputs[step.id ?? ''] = { outputs: played.steps['run']?.outputs ?? {} };
    } else if (/^actions\/(cache|upload)/.test(uses)) {
      const { key = '', name = '', path = '', 'restore-keys': prefix = '' } = all(step.with);
      const paths = path.split('\n').filter(Boolean);
      if (uses.startsWith('actions/cache/save')) keep(workspace, paths, join(kept, 'caches', key));
      if (uses.startsWith('actions/cache/restore')) restore(join(kept, 'caches'), [key, prefix], workspace);
      if (uses.startsWith('actions/upload-artifact')) keep(workspace, paths, join(kept, 'artifacts', name));
    }
  }
  return { code, said, steps: outputs };
}

/** Plays a job of GitLab: restores its cache, runs its script in one shell, and keeps its cache and artifacts. */
export async function playGitlabJob(
  text: string,
  name: string,
  machine: Machine,
): Promise<Pick<Played, 'code' | 'said'>> {
  const { workspace, kept, env } = machine;
  const jobs = parse(text);
  const job = { ...jobs[jobs[name].extends], ...jobs[name] };
  const variables = { ...job.variables, ...env } as Record<string, string>;
  const filled = (path: string) => path.replaceAll(/\$(\w+)/g, (_, key) => variables[key] ?? '');
  restore(join(kept, 'caches'), [job.cache.key], workspace);
  const script = ['set -e', ...job.before_script, ...job.script].join('\n');
  const ran = startProgram('bash', ['-c', script], { cwd: workspace, env: variables });
  const code = (await ran.ended) ?? 1;
  keep(workspace, job.cache.paths.map(filled), join(kept, 'caches', job.cache.key));
  keep(workspace, job.artifacts.paths.map(filled), join(kept, 'artifacts', name));
  return { code, said: ran.said() };
}

function keep(workspace: string, paths: readonly string[], to: string): void {
  mkdirSync(to, { recursive: true });
  for (const path of paths.flatMap((each) => globSync(each, { cwd: workspace })))
    cpSync(join(workspace, path), join(to, path), { recursive: true });
}

/**
 * Restores a cache as GitHub does: the newest cache whose key begins with the first prefix; if there is none, with the second prefix, and
 * so on.
 */
function restore(caches: string, prefixes: readonly string[], workspace: string): void {
  const keys = existsSync(caches) ? readdirSync(caches).sort() : [];
  const found = prefixes.map((prefix) => keys.filter((key) => key.startsWith(prefix)).at(-1)).find(Boolean);
  if (found) cpSync(join(caches, found), workspace, { recursive: true });
}
