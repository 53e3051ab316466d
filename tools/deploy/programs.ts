import { runToEnd } from '../../src/testing/programs/child.ts';

/** Programs that some tests need, with the Debian package of each. */
const packages = {
  promtool: 'prometheus',
  prometheus: 'prometheus',
  amtool: 'prometheus-alertmanager',
  'prometheus-alertmanager': 'prometheus-alertmanager',
  kubectl: 'kubernetes-client',
} as const;

export type Program = keyof typeof packages;

/** The reason to skip a test that needs these programs; `false` if the machine has all of them. */
export function missing(...programs: readonly Program[]): string | false {
  const absent = programs.filter((name) => runToEnd('sh', ['-c', `command -v ${name}`]).status !== 0);
  if (absent.length === 0) return false;
  const from = [...new Set(absent.map((name) => packages[name]))].join(' ');
  return `needs ${absent.join(', ')}: apt-get install ${from}`;
}

/** Runs a program with `input` on its standard input. Returns both outputs as one text, and the exit code. */
export function outputOf(program: Program, args: readonly string[], input = '') {
  // Most of these programs are written in Go. Its garbage collector would take a fifth of a short run, only to save memory.
  const { status, output } = runToEnd(program, args, { input, env: { ...process.env, GOGC: '800' } });
  return { code: status, text: output };
}
