/** The signals that end a program: a request to end, Ctrl-C, the end of its terminal, a kill. */
export const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const;

export type Signal = (typeof signals)[number];

/** Which processes of a long-running command are left two seconds after a signal. */
export const endings = {
  clean: 'nobody, after clean-up',
  killed: 'nobody; the next start cleans up',
  on: 'everybody: npm leaves this signal to a terminal',
} as const;

type Ending = keyof typeof endings;

interface Way {
  readonly name: string;
  /** How the command line begins; `signals.program.test.ts` has the program for each. */
  readonly start: 'npx' | 'launcher' | 'native' | 'entrypoint';
  /** The command runs on a pseudo-terminal, so SIGINT is Ctrl-C, and SIGHUP the end of the terminal. */
  readonly isTerminal?: true;
  readonly ends: Readonly<Record<Signal, Ending>>;
}

const own = { SIGTERM: 'clean', SIGINT: 'clean', SIGHUP: 'clean', SIGKILL: 'killed' } as const;
const npx = { ...own, SIGKILL: 'clean' } as const;

/** The ways to start a long-running command, with the effect of each signal to the started process. `signals.program.test.ts` tries each. */
export const ways: readonly Way[] = [
  { name: '`npx sextant`', start: 'npx', ends: { ...npx, SIGINT: 'on' } },
  { name: '`node_modules/.bin/sextant` on Node ≥ 24.15', start: 'native', ends: own },
  { name: '`node_modules/.bin/sextant` on Node 20', start: 'launcher', ends: npx },
  { name: 'the entry of the container', start: 'entrypoint', ends: own },
  { name: '`npx sextant` on a terminal (Ctrl-C; the terminal is closed)', start: 'npx', isTerminal: true, ends: npx },
];
