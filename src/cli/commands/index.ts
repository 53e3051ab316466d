import type { Command } from 'commander';

/** Every command, in the order of the help; a new one is a file beside this and a line here. Only what is asked for is loaded. */
const loaders: Readonly<Record<string, () => Promise<() => Command>>> = {
  test: async () => (await import('./test.ts')).test,
  check: async () => (await import('./check.ts')).check,
  monitor: async () => (await import('./monitor.ts')).monitor,
  survey: async () => (await import('./survey.ts')).survey,
  compare: async () => (await import('./compare.ts')).compare,
  openapi: async () => (await import('./openapi.ts')).openapi,
  drill: async () => (await import('./drill.ts')).drill,
  environments: async () => (await import('./environments.ts')).environments,
  undo: async () => (await import('./undo.ts')).undo,
  alerts: async () => (await import('./alerts.ts')).alerts,
  history: async () => (await import('./history.ts')).history,
  serve: async () => (await import('./serve.ts')).serve,
};

/** The command that `name` asks for; all of them when it names none, for the help or for "did you mean". */
export async function commandsFor(name: string | undefined): Promise<Command[]> {
  const asked = name !== undefined && Object.hasOwn(loaders, name) ? loaders[name] : undefined;
  const makers = await Promise.all(asked ? [asked()] : Object.values(loaders).map((load) => load()));
  return makers.map((make) => make());
}
