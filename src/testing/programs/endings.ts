/** Signals that end a program: a polite request, Ctrl-C, a closed terminal, a kill. */
export const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const;

export type Signal = (typeof signals)[number];

/** The processes of a long-running command that still run two seconds after a signal, in words. */
export const endings = {
  clean: 'nobody, after clean-up',
  killed: 'nobody; the next start cleans up',
  on: 'everybody: npm leaves this signal to a terminal',
} as const;

type Ending = keyof typeof endings;

interface Way {
  readonly name: string;
  /** The program that starts the command; `signals.program.test.ts` has the command line of each. */
  readonly start: 'npx' | 'launcher' | 'native' | 'entrypoint';
  /** The command runs on a pseudo-terminal, so SIGINT is Ctrl-C, and SIGHUP the end of the terminal. */
  readonly isTerminal?: true;
  readonly ends: Readonly<Record<Signal, Ending>>;
}

const own = { SIGTERM: 'clean', SIGINT: 'clean', SIGHUP: 'clean', SIGKILL: 'killed' } as const;
const npx = { ...own, SIGKILL: 'clean' } as const;

/** The ways to start a long-running command, and the effect of each signal on it. `signals.program.test.ts` tries all of them. */
export const ways: readonly Way[] = [
  { name: '`npx sextant`', start: 'npx', ends: { ...npx, SIGINT: 'on' } },
  { name: '`node_modules/.bin/sextant` on Node ≥ 24.15', start: 'native', ends: own },
  { name: '`node_modules/.bin/sextant` on Node 20', start: 'launcher', ends: npx },
  { name: 'the entry of the container', start: 'entrypoint', ends: own },
  { name: '`npx sextant` on a terminal (Ctrl-C; the terminal is closed)', start: 'npx', isTerminal: true, ends: npx },
];
