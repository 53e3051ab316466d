import { Command } from 'commander';
import { attempt, ConfigurationError, environmentNames } from '../../environment/index.ts';
import { redactJson } from '../../redaction/index.ts';
import { chooseEnvironments, environmentOption, loadBare } from '../choosing/choose-environments.ts';
import { examineEnvironment } from '../connect/examination/examine-environment.ts';
import { examineMachine } from '../connect/examination/examine-machine.ts';
import {
  configuration,
  doctorExitCode,
  type Examined,
  type Finding,
  reportText,
} from '../connect/examination/findings.ts';
import { say } from '../output/terminal.ts';

/** `sextant doctor`: lists everything that would keep a run from succeeding, each with its cure. */
export function doctor(): Command {
  return new Command('doctor')
    .addOption(environmentOption('examine'))
    .option('--json', 'print one JSON document')
    .action(async ({ env = [], json = false }: { env?: readonly string[]; json?: boolean }) => {
      const names = env.length > 0 ? chooseEnvironments(env) : [];
      const all: Examined[] = [{ of: 'this machine', findings: examineMachine() }];
      for (const name of names) all.push({ of: name, findings: await examine(name) });
      say(json ? JSON.stringify(redactJson(all), null, 2) : reportText(all));
      process.exitCode = doctorExitCode(all.flatMap((each) => each.findings));
    });
}

/**
 * Examines an environment. If only its facts, observed responses or OpenAPI documents have a mistake, this mistake is one of the findings.
 * Any other mistake in its files is the only finding.
 */
async function examine(name: string): Promise<Finding[]> {
  const mistakes: Finding[] = [];
  const report = (text: string) => void mistakes.push(unusable(name, text));
  const loaded = attempt(() => loadBare(name, report));
  if (loaded instanceof ConfigurationError) return [unusable(name, loaded.message)];
  const others = environmentNames().flatMap((each) => {
    const other = each === name ? undefined : attempt(() => loadBare(each, () => {}));
    return other && !(other instanceof ConfigurationError) ? [other] : [];
  });
  return [...mistakes, ...(await examineEnvironment(loaded, others))];
}

function unusable(name: string, text: string): Finding {
  return configuration(
    'environment',
    text,
    !environmentNames().includes(name)
      ? `npx sextant environments new ${name}`
      : text.includes('.facts.json')
        ? 'correct the facts, or restore the file from the repository'
        : `correct it; npx sextant environments new ${name} --force asks for what is needed`,
  );
}
