import { Command } from 'commander';

/** A command in the help, with its module. */
export interface Listed {
  /** One line. */
  readonly description: string;
  /** Its arguments in the help of all commands; absent: options alone; empty: sub-commands. */
  readonly usage?: string;
  /** It runs for months, so it gets a small heap. */
  readonly isResident?: true;
  readonly load: () => Promise<() => Command>;
}

/** Every command, in the order of the help; a new one is an entry here, and usually a file in this folder. */
export const listed: Readonly<Record<string, Listed>> = {
  test: {
    description: 'run the suite and build the report',
    usage: '[options] [playwright...]',
    load: async () => (await import('./test.ts')).test,
  },
  check: {
    description: 'run every allowed scenario once, in-process, and print a verdict for each',
    load: async () => (await import('./check.ts')).check,
  },
  report: {
    description: 'join the results of the shards of a run; put reports on a site',
    load: async () => (await import('./report.ts')).report,
  },
  monitor: {
    description: 'monitor environments: schedule, history, alerts, status page, metrics (Ctrl-C stops it)',
    isResident: true,
    load: async () => (await import('./monitor.ts')).monitor,
  },
  maintenance: {
    description: 'tell a running monitor of maintenance or a deploy: start, end',
    usage: '',
    load: async () => (await import('./maintenance.ts')).maintenance,
  },
  prober: {
    description: 'run scenarios when Prometheus asks for them: /probe, /targets, /metrics (Ctrl-C stops it)',
    isResident: true,
    load: async () => (await import('./prober.ts')).prober,
  },
  survey: {
    description: 'find out by experiment what the specification leaves open',
    load: async () => (await import('./survey.ts')).survey,
  },
  compare: {
    description:
      'compare two surveys, or an OpenAPI document with one, by consumer impact; exits with 1 if a difference is breaking',
    usage: '[options] <before> <after>',
    load: async () => (await import('./compare.ts')).compare,
  },
  openapi: {
    description: 'print an OpenAPI 3.1 document; --env adds addresses and observed responses',
    load: async () => (await import('./export.ts')).openapi,
  },
  export: {
    description: "write the operations with an environment's data for an HTTP client: http, postman, bruno",
    load: async () => (await import('./export.ts')).exportRequests,
  },
  drill: {
    description: 'break the reference service on purpose, fault by fault, and show which scenario catches each',
    load: async () => (await import('./drill.ts')).drill,
  },
  environments: {
    description: 'list, check, import and create environments',
    usage: '',
    load: async () => (await import('./environments.ts')).environments,
  },
  doctor: {
    description: 'find what would keep a run from doing its work, each with its cure; exits with 1 or 2 for a problem',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  new: {
    description: 'write a skeleton: a scenario, an operation, an alert channel, an environment',
    usage: '',
    load: async () => (await import('./new.ts')).newThing,
  },
  init: {
    description: 'write a small project that uses the package: an environment, a first scenario, a workflow',
    usage: '[options] [folder]',
    load: async () => (await import('./init.ts')).init,
  },
  undo: {
    description: 'undo changes that killed runs left behind in an environment',
    load: async () => (await import('./undo.ts')).undo,
  },
  alerts: {
    description: 'manage the alert channels of the monitor',
    usage: '',
    load: async () => (await import('./alerts.ts')).alerts,
  },
  history: {
    description: "read the monitor's history",
    usage: '',
    load: async () => (await import('./history.ts')).history,
  },
  serve: {
    description: 'run the reference service: its areas on consecutive ports, and a provisioner on the next',
    load: async () => (await import('./serve.ts')).serve,
  },
};

/** Loads the command `name`; `undefined` if there is none. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  if (!Object.hasOwn(listed, name)) return undefined;
  const { description, load } = listed[name] as Listed;
  return (await load())().description(description);
}

/** Every command for the help, without its implementation, which would load hundreds of modules. */
export function commandList(): Command[] {
  return Object.entries(listed).map(([name, { description, usage = '[options]' }]) => {
    const command = new Command(name).description(description);
    return usage ? command.arguments(usage) : command;
  });
}
