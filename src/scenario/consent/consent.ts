import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { ConfigurationError, type Environment } from '../../config/index.ts';
import { areaIds } from '../../spec/index.ts';
import { stateFolder } from '../output-folders.ts';
import { permissions } from './permissions.ts';

export interface ConsentOptions {
  /** `--yes`. */
  readonly yes?: boolean;
  /** Where to ask; a terminal on both sides, or nobody is asked. */
  readonly input?: NodeJS.ReadStream;
  readonly output?: NodeJS.WriteStream;
  readonly processEnvironment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Before the first run against an environment that isn't loopback: prints what the run is allowed to do, and asks. `--yes`
 * or CI=true answers. A yes is remembered until the environment's addresses, users or effects change.
 * @throws ConfigurationError when nobody agrees.
 */
export async function consentTo(environment: Environment, options: ConsentOptions = {}): Promise<void> {
  const { yes = false, input = process.stdin, output = process.stderr, processEnvironment = process.env } = options;
  if (environment.isLoopback || isRemembered(environment)) return;
  output.write(`${permissions(environment)}\n`);
  const isAnswered = yes || processEnvironment.CI === 'true';
  if (!isAnswered && !(input.isTTY && output.isTTY)) {
    throw new ConfigurationError(
      `Nothing was sent: the first run against ${environment.name} with these settings needs your consent, and there is no terminal to ask on. Use --yes (or CI=true) to consent to the above.`,
    );
  }
  if (!isAnswered && !(await confirmed(`Run against ${environment.name}? [y/N] `, input, output)))
    throw new ConfigurationError(`Nothing was sent to ${environment.name}: no consent.`);
  remember(environment);
}

/** @throws ConfigurationError when a run against an environment that isn't loopback was never agreed to. */
export function assertConsent(environment: Environment): void {
  if (environment.isLoopback || isRemembered(environment)) return;
  throw new ConfigurationError(
    `Nothing was sent: a run against ${environment.name} with these settings needs your consent. Run \`npx sextant check --env ${environment.name}\` to give it.`,
  );
}

async function confirmed(question: string, input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<boolean> {
  const lines = createInterface({ input, output });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return /^y(es)?$/i.test((await Promise.race([lines.question(question), closed])).trim());
  } finally {
    lines.close();
  }
}

function isRemembered(environment: Environment): boolean {
  return consents()[environment.name] === fingerprint(environment);
}

/** @throws ConfigurationError when the state folder can't be written. */
function remember(environment: Environment): void {
  const all = { ...consents(), [environment.name]: fingerprint(environment) };
  try {
    mkdirSync(stateFolder(), { recursive: true });
    writeFileSync(consentsFile(), `${JSON.stringify(all, null, 2)}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(
      `Nothing was sent: ${stateFolder()} is not writable (${code}), and undo journals are kept there. Set SEXTANT_STATE to another folder.`,
    );
  }
}

function consents(): Readonly<Record<string, string>> {
  if (!existsSync(consentsFile())) return {};
  try {
    return JSON.parse(readFileSync(consentsFile(), 'utf8')) as Record<string, string>;
  } catch {
    // A torn file is no consent.
    return {};
  }
}

function consentsFile(): string {
  return join(stateFolder(), 'consents.json');
}

/** What was agreed to: another address, user, effect or helper asks again. */
function fingerprint({ addresses, allowedEffects, caller, friend, provisionUrl }: Environment): string {
  const agreed = [
    areaIds.map((area) => addresses[area].href),
    [...allowedEffects].sort(),
    [caller.clientId, caller.userId, friend.userId ?? null],
    provisionUrl?.href ?? null,
  ];
  return createHash('sha256').update(JSON.stringify(agreed)).digest('hex');
}
