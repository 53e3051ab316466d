/** The signals that end a program: asked to, Ctrl-C, its terminal is closed, killed. */
export const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const;

export type Signal = (typeof signals)[number];

/** The processes of a resident command that are left two seconds after a signal. */
export const endings = {
  clean: 'nobody, after clean-up',
  killed: 'nobody; the next start cleans up',
  on: 'everybody: npm leaves this signal to a terminal',
} as const;

type Ending = keyof typeof endings;

interface Way {
  readonly name: string;
  /** Its command line begins with this; `undefined`: the Node of the tests. */
  readonly start: 'npx' | 'launcher' | 'native' | 'entrypoint';
  /** On a pseudo-terminal: SIGINT is Ctrl-C, and SIGHUP its end. */
  readonly isTerminal?: true;
  readonly ends: Readonly<Record<Signal, Ending>>;
}

const own = { SIGTERM: 'clean', SIGINT: 'clean', SIGHUP: 'clean', SIGKILL: 'killed' } as const;
const npx = { ...own, SIGKILL: 'clean' } as const;

/** The ways to start a resident command, with what a signal to what was started leaves. `signals.program.test.ts` tries each. */
export const ways: readonly Way[] = [
  { name: '`npx sextant`', start: 'npx', ends: { ...npx, SIGINT: 'on' } },
  { name: '`node_modules/.bin/sextant` on Node ≥ 24.15', start: 'native', ends: own },
  { name: '`node_modules/.bin/sextant` on Node 20', start: 'launcher', ends: npx },
  { name: 'the entry of the container', start: 'entrypoint', ends: own },
  { name: '`npx sextant` on a terminal (Ctrl-C; the terminal is closed)', start: 'npx', isTerminal: true, ends: npx },
];
