import { Command } from 'commander';

/** A command: its entry in the help, and how to load its module. */
export interface Listed {
  readonly description: string;
  /**
   * The arguments of the command, as the list of all commands shows them; default: `[options]`; empty for a command that consists of
   * sub-commands.
   */
  readonly usage?: string;
  readonly load: () => Promise<() => Command>;
}

/** Every command, in the order of the help. A new command needs an entry here, and usually a file in this folder. */
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
  monitor: {
    description: 'monitor environments: schedule, history, alerts, status page, metrics (Ctrl-C stops it)',
    load: async () => (await import('./monitor.ts')).monitor,
  },
  maintenance: {
    description: 'announce maintenance or a deploy to a running monitor: start, end',
    usage: '',
    load: async () => (await import('./maintenance.ts')).maintenance,
  },
  prober: {
    description: 'run scenarios when Prometheus asks for them: /probe, /targets, /metrics (Ctrl-C stops it)',
    load: async () => (await import('./prober.ts')).prober,
  },
  survey: {
    description: 'find out by experiment what the specification leaves open',
    load: async () => (await import('./survey.ts')).survey,
  },
  compare: {
    description:
      'compare what is known of two environments by consumer impact; exits with 1 if a difference is breaking',
    usage: '[options] <before> <after>',
    load: async () => (await import('./compare.ts')).compare,
  },
  openapi: {
    description: 'print an OpenAPI 3.1 document; --env adds addresses and observed responses',
    load: async () => (await import('./export.ts')).openapi,
  },
  export: {
    description: "write the operations with an environment's data for an HTTP client: http, postman",
    load: async () => (await import('./export.ts')).exportRequests,
  },
  schema: {
    description: 'print the JSON Schema of a document: check, environment, facts, notice, status',
    usage: '<name>',
    load: async () => (await import('./schema.ts')).schema,
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
    description:
      'find problems that would keep a run from working, each with its cure; exits with 1 or 2 for a problem',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  new: {
    description: 'write a scenario that is red until its story is written',
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

/** Removed commands, options and values, as a user types them, with a message that names the replacement. */
export const withdrawn: Readonly<Record<string, string>> = {
  report:
    '`sextant report` was removed, because no run is divided any more. Allure joins the results of several jobs: `npx --no allure generate`, as docs/ci.md shows.',
  'test --shard':
    '`--shard` was removed, because the suite takes seconds and shards would act as the same users. Give each job an environment of its own; docs/ci.md shows how Allure joins their results.',
  'export --format bruno':
    '`--format bruno` was removed, because Bruno imports Postman’s collections: use --format postman.',
  'monitor --heap':
    '`--heap` was removed: NODE_OPTIONS=--max-old-space-size=160 limits the memory of any command, in MB.',
  ...Object.fromEntries(
    ['--area', '--grep', '--tag'].flatMap((option) => [
      [`survey ${option}`, `\`survey ${option}\` was removed; --only chooses questions, e.g. --only 'love,repeat'.`],
      [`drill ${option}`, `\`drill ${option}\` was removed; --fault chooses faults by name, e.g. --fault 'love-*'.`],
    ]),
  ),
};

/** Loads the command `name`; `undefined` if there is none. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  if (!Object.hasOwn(listed, name)) return undefined;
  const { description, load } = listed[name] as Listed;
  return (await load())().description(description);
}

/** Every command for the help, without its implementation, because that would load hundreds of modules. */
export function commandList(): Command[] {
  return Object.entries(listed).map(([name, { description, usage = '[options]' }]) => {
    const command = new Command(name).description(description);
    return usage ? command.arguments(usage) : command;
  });
}

/** Two examples for the help of each command. The help of a command with sub-commands shows the first example of each sub-command. */
export const examples: Readonly<Record<string, readonly [string, string]>> = {
  '': ['npx sextant test --env local', 'npx sextant check --env local --json'],
  test: ['npx sextant test --env staging --area friends', "npx sextant test --env 'prod-*' --tag read"],
  check: [
    "npx sextant check --env staging --scenario '*profile*'",
    'npx sextant check --env staging --deadline 50s --json',
  ],
  monitor: ['npx sextant monitor --env staging --every 60s', "npx sextant monitor --env 'prod-*' --port 8080"],
  'monitor run': ["npx sextant monitor run 'love*'", "npx sextant monitor run 'read-only round' --env 'prod-*'"],
  'maintenance start': [
    "npx sextant maintenance start --env 'prod-*' 1h --why 'release 41'",
    'npx sextant maintenance start --env staging 20m',
  ],
  'maintenance end': ['npx sextant maintenance end --env staging', "npx sextant maintenance end --env 'prod-*'"],
  prober: ["npx sextant prober --env 'prod-*'", 'npx sextant prober --env staging --listen 0.0.0.0:9465'],
  survey: ['npx sextant survey --env staging', "npx sextant survey --env staging --update --only 'report repeat'"],
  compare: ['npx sextant compare staging production', 'npx sextant compare staging production --format markdown'],
  openapi: ['npx sextant openapi', 'npx sextant openapi --env staging'],
  export: ['npx sextant export --env staging --format http', 'npx sextant export --env staging --format postman'],
  schema: ['npx sextant schema check', 'npx sextant schema facts > facts.schema.json'],
  drill: ['npx sextant drill --fault unblock-does-nothing', 'npx sextant drill --env staging --fail-under 95'],
  'environments list': ['npx sextant environments list', 'SEXTANT_ENVIRONMENTS=envs npx sextant environments list'],
  'environments check': ['npx sextant environments check staging', 'npx sextant environments check production'],
  'environments import': [
    'npx sextant environments import staging.postman_environment.json collection.json --name staging',
    'npx sextant environments import .env --name staging --map STORIES_HOST=STORY_URL',
  ],
  'environments new': [
    'npx sextant environments new staging',
    "npx sextant environments new staging --from .env --from 'curl https://friends.your.org/v1/friends/block/0/100'",
  ],
  doctor: ['npx sextant doctor', 'npx sextant doctor --env staging'],
  'new scenario': [
    'npx sextant new scenario "love two stories" --area stories --effect reversible',
    'npx sextant new scenario "read both lists" --area friends --effect read',
  ],
  init: ['npx --no sextant init api-checks', 'npx --no sextant init e2e --env production --ci gitlab'],
  undo: ['npx sextant undo --env staging', "npx sextant undo --env 'prod-*' --forget"],
  'alerts test': ['npx sextant alerts test', 'npx sextant alerts test --channel slack --like down'],
  'history export': ['npx sextant history export', 'npx sextant history export > history.ndjson'],
  serve: ['npx sextant serve --port 5010', 'npx sextant serve --env local --data state.db'],
};
