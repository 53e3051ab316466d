import { attempt, ConfigurationError, environmentNames, loadEnvironment } from '../../../config/index.ts';
import { areaIds, areas } from '../../../spec/index.ts';
import { type Asker, Stopped } from './prompts/asker.ts';
import { terminalAsker } from './prompts/terminal-asker.ts';

/** The arguments that a person chooses on the terminal; `undefined` if they stop. The command that does the same is printed. */
export async function startMenu(): Promise<string[] | undefined> {
  const asker = terminalAsker();
  try {
    const args = await chooseCommand(asker);
    asker.say(`\nnpx sextant ${args.join(' ')}\n`);
    return args;
  } catch (error) {
    if (error instanceof Stopped) return undefined;
    throw error;
  }
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

/** Asks for environment, action and area; returns the arguments of the command that does it. @throws Stopped */
async function chooseCommand(asker: Asker): Promise<string[]> {
  const unusable = new Set<string>();
  const offered = environmentNames().map((value) => {
    if (attempt(() => loadEnvironment(value)) instanceof ConfigurationError) unusable.add(value);
    return { value, name: unusable.has(value) ? `${value} (to be filled in)` : value };
  });
  const name = await asker.choose('Which environment?', [...offered, { value: NEW, name: 'a new one' }]);
  if (name === NEW) return ['environments', 'new'];
  if (unusable.has(name)) return ['environments', 'new', name];
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
