import { ConfigurationError, environmentNames, loadEnvironment } from '../../../config/index.ts';
import { areaIds, areas } from '../../../spec/index.ts';
import { type Asker, Stopped } from './prompts/asker.ts';
import { terminalAsker } from './prompts/terminal-asker.ts';

/** The arguments that a person chooses on the terminal; `undefined` if they stop. The command that does the same is printed. */
export async function startMenu(): Promise<string[] | undefined> {
  const asker = terminalAsker();
  try {
    const args = await chooseCommand(asker, environmentNames().map(listed));
    asker.say(`\nnpx sextant ${args.join(' ')}\n`);
    return args;
  } catch (error) {
    if (error instanceof Stopped) return undefined;
    throw error;
  }
}

function listed(name: string): OfferedEnvironment {
  try {
    loadEnvironment(name);
    return { name, isUsable: true };
  } catch (error) {
    if (error instanceof ConfigurationError) return { name, isUsable: false };
    throw error;
  }
}

/** An environment, and whether it can be used. */
export interface OfferedEnvironment {
  readonly name: string;
  readonly isUsable: boolean;
}

const actions = {
  check: 'check it: every allowed scenario once',
  test: 'test it: the whole suite, with the report',
  'dry run': 'see what a run would send, without sending it',
  doctor: 'find what would keep a run from doing its work',
  survey: 'survey it: find out what the specification leaves open',
  monitor: 'monitor it: schedule, alerts, status page',
} as const;

type Action = keyof typeof actions;

const NEW = ' new';
const ALL = ' all';

/** Asks for environment, action and area; gives the arguments of the command that does it. Throws `Stopped`. */
export async function chooseCommand(asker: Asker, environments: readonly OfferedEnvironment[]): Promise<string[]> {
  const name = await asker.choose('Which environment?', [
    ...environments.map((each) => ({
      value: each.name,
      name: each.isUsable ? each.name : `${each.name} (to be filled in)`,
    })),
    { value: NEW, name: 'a new one' },
  ]);
  if (name === NEW) return ['environments', 'new'];
  if (environments.some((each) => each.name === name && !each.isUsable)) return ['environments', 'new', name];
  const action = await asker.choose<Action>(
    `What about ${name}?`,
    (Object.keys(actions) as Action[]).map((value) => ({ value, name: actions[value] })),
  );
  if (action === 'dry run') return ['environments', 'check', name];
  if (action !== 'check' && action !== 'test') return [action, '--env', name];
  const area = await asker.choose<string>('Which area?', [
    { value: ALL, name: 'all of them' },
    ...areaIds.map((id) => ({ value: id, name: `${areas[id].title}: ${areas[id].purpose}` })),
  ]);
  return [action, '--env', name, ...(area === ALL ? [] : ['--area', area])];
}
