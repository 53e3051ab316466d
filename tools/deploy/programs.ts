import { runToEnd } from '../../src/testing/programs/child.ts';

/** Programs that some tests need, and the Debian package that has each. */
const packages = {
  promtool: 'prometheus',
  prometheus: 'prometheus',
  amtool: 'prometheus-alertmanager',
  'prometheus-alertmanager': 'prometheus-alertmanager',
  kubectl: 'kubernetes-client',
} as const;

export type Program = keyof typeof packages;

/** The reason to skip a test that needs these programs; `false` if they are there. */
export function missing(...programs: readonly Program[]): string | false {
  const absent = programs.filter((name) => runToEnd('sh', ['-c', `command -v ${name}`]).status !== 0);
  if (absent.length === 0) return false;
  const from = [...new Set(absent.map((name) => packages[name]))].join(' ');
  return `needs ${absent.join(', ')}: apt-get install ${from}`;
}

/** Runs a program, with `input` on its standard input; both outputs as one text, and its exit code. */
export function outputOf(program: Program, args: readonly string[], input = '') {
  // Most are written in Go, whose collector takes a fifth of a short run to save memory.
  const { status, output } = runToEnd(program, args, { input, env: { ...process.env, GOGC: '800' } });
  return { code: status, text: output };
}
