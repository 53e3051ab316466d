import { Command } from 'commander';
import { redactJson } from '../../client/index.ts';
import { ConfigurationError, environmentNames, loadEnvironment } from '../../config/index.ts';
import { chooseEnvironments, environmentOption } from '../choosing/choose-environments.ts';
import {
  type Diagnosis,
  doctorExitCode,
  type Examined,
  reportDocument,
  reportText,
} from '../connect/doctor/diagnosis.ts';
import { examineEnvironment } from '../connect/doctor/examine-environment.ts';
import { environmentsDiagnosis, examineMachine } from '../connect/doctor/examine-machine.ts';
import { printable } from '../printable.ts';

interface DoctorOptions {
  readonly env?: readonly string[];
  readonly json?: boolean;
}

/** `sextant doctor`: what would keep a run from doing its work, each with its cure. */
export function doctor(): Command {
  return new Command('doctor')
    .addOption(environmentOption('examine'))
    .option('--json', 'print one JSON document')
    .action(async ({ env = [], json = false }: DoctorOptions) => {
      const names = chooseEnvironments(env);
      const machine = [...examineMachine(), ...(names.length === 0 ? [otherEnvironments()] : [])];
      const all: Examined[] = [{ of: 'this machine', diagnoses: machine }];
      for (const name of names) all.push({ of: name, diagnoses: await examine(name) });
      const text = json ? JSON.stringify(redactJson(reportDocument(all)), null, 2) : reportText(all);
      process.stdout.write(`${printable(text)}\n`);
      process.exitCode = doctorExitCode(all.flatMap(({ diagnoses }) => diagnoses));
    });
}

/** One that can't be loaded is a finding among the others. */
async function examine(name: string): Promise<Diagnosis[]> {
  try {
    return await examineEnvironment(loadEnvironment(name));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [
      {
        subject: 'environment',
        severity: 'configuration',
        text: error.message,
        cure: `correct it, or npx sextant environments new ${name}`,
      },
    ];
  }
}

function otherEnvironments(): Diagnosis {
  const usable: string[] = [];
  const others: string[] = [];
  for (const name of environmentNames()) (isUsable(name) ? usable : others).push(name);
  return environmentsDiagnosis(usable, others);
}

function isUsable(name: string): boolean {
  try {
    loadEnvironment(name);
    return true;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return false;
  }
}
