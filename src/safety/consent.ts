import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { assertWritableFolder, fileRoles, readTextIfAny, replaceText } from '../environment/files/index.ts';
import { ConfigurationError, counted, type Environment, listed, stateName } from '../environment/index.ts';
import { fieldsIn } from '../http/index.ts';
import { redact } from '../redaction/index.ts';
import { areaIds, areas, type Effect, effects, type Operation, operation, operationIds } from '../service/index.ts';
import { withLock } from './lock/exclusive-lock.ts';
import { stateFolder } from './lock/state-folder.ts';
import { canRestore, unrestorableText } from './profile-values.ts';

export interface ConsentOptions {
  readonly yes?: boolean;
  /** A text with the items, clones and reports that each run uses up for good, and their numbers. */
  readonly usesUp?: string | undefined;
  /** `false` if no file can keep the consent. It is then valid for this process only. */
  readonly isKept?: boolean;
  /** The streams for the question, which needs a terminal on both. */
  readonly input?: NodeJS.ReadStream;
  readonly output?: NodeJS.WriteStream;
  readonly processEnvironment?: Readonly<Record<string, string | undefined>>;
}

/** Prints what a run may do, and asks for consent, which is remembered until these permissions change. @throws ConfigurationError without consent. */
export async function consentTo(environment: Environment, options: ConsentOptions = {}): Promise<void> {
  const {
    yes = false,
    usesUp,
    isKept = true,
    input = process.stdin,
    output = process.stderr,
    processEnvironment = process.env,
  } = options;
  if (isKept) assertStateFolder(environment);
  sayWarnings(environment, output);
  if (hasConsent(environment)) return;
  output.write(`${permissions(environment, usesUp)}\n`);
  const isAnswered = yes || processEnvironment.CI === 'true';
  if (!isAnswered && !(input.isTTY && output.isTTY)) {
    throw new ConfigurationError(
      `Nothing was sent: the first run against ${environment.name} with these settings needs your consent, and there is no terminal to ask on. Use --yes (or CI=true) to consent to the above.`,
    );
  }
  if (!isAnswered && !(await agreed(`Run against ${environment.name}? [y/N] `, input, output)))
    throw new ConfigurationError(`Nothing was sent to ${environment.name}: no consent.`);
  if (!isKept) return void ofThisProcess.add(fingerprint(environment));
  // Without the lock, two runs that begin at the same time would overwrite each other's consent.
  await withLock(join(stateFolder(), 'locks', 'consents.sqlite'), async () => {
    const all = { ...consents(), [stateName(environment)]: fingerprint(environment) };
    replaceText(consentsFile(), redact(`${JSON.stringify(all, null, 2)}\n`), fileRoles.state);
  });
}

/** Holds the warnings that were printed, so that child processes don't print them again. */
const WARNED_VARIABLE = 'SEXTANT_WARNED';

/** Prints the warnings about an environment's files once, before anything is sent. */
function sayWarnings({ warnings = [] }: Environment, output: Pick<NodeJS.WriteStream, 'write'>): void {
  const said = process.env[WARNED_VARIABLE]?.split('\n') ?? [];
  const fresh = warnings.filter((warning) => !said.includes(warning));
  for (const warning of fresh) output.write(`Warning: ${redact(warning)}\n`);
  if (fresh.length > 0) process.env[WARNED_VARIABLE] = [...said, ...fresh].join('\n');
}

export function hasConsent(environment: Environment): boolean {
  if (environment.isLoopback) return true;
  const wanted = fingerprint(environment);
  return ofThisProcess.has(wanted) || consents()[stateName(environment)] === wanted;
}

/** @throws ConfigurationError if nobody consented to runs against this environment. A loopback address needs no consent. */
export function assertConsent(environment: Environment): void {
  if (hasConsent(environment)) return;
  throw new ConfigurationError(
    `Nothing was sent: a run against ${environment.name} with these settings needs your consent. Run \`npx sextant check --env ${environment.name}\` to give it.`,
  );
}

export async function agreed(
  question: string,
  input: NodeJS.ReadStream = process.stdin,
  output: NodeJS.WriteStream = process.stderr,
): Promise<boolean> {
  const lines = createInterface({ input, output });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return /^y(es)?$/i.test((await Promise.race([lines.question(question), closed])).trim());
  } finally {
    lines.close();
  }
}

const ofThisProcess = new Set<string>();

function consents(): Readonly<Record<string, string>> {
  // A damaged file counts as no consent, so the user is asked again.
  return fieldsIn(readTextIfAny(consentsFile(), fileRoles.state)) as Readonly<Record<string, string>>;
}

function consentsFile(): string {
  return join(stateFolder(), 'consents.json');
}

/**
 * A hash of everything that the consent is about. If an address, the route to it, a user, an effect or the provisioner changes, the user is asked
 * again.
 */
function fingerprint({ addresses, allowedEffects, caller, friend, provisionUrl, route }: Environment): string {
  const agreed = [
    areaIds.map((area) => addresses[area].href),
    [...allowedEffects].sort(),
    [caller.clientId, caller.userId, friend.userId ?? null],
    provisionUrl?.href ?? null,
    // Adds nothing if CONNECT_TO pins no addresses, so that consent from versions without CONNECT_TO stays valid.
    ...(route?.pins ?? []),
  ];
  return createHash('sha256').update(JSON.stringify(agreed)).digest('hex');
}

/**
 * Checks that the state folder can be written. Runs without fresh users keep locks and journals there, and each call would fail otherwise.
 * @throws FileTrouble
 */
function assertStateFolder({ provisionUrl }: Environment): void {
  if (provisionUrl === undefined) assertWritableFolder(stateFolder(), fileRoles.state);
}

const effectTexts: Readonly<Record<Effect, string>> = {
  read: 'read',
  reversible: 'change and undo',
  overwriting: 'overwrite',
  irreversible: 'change permanently',
};

/** Lines of the consent text about changes and values that a person may lose, because no request shows them before a run changes them. */
function unseenTexts(allowed: ReadonlySet<Effect>): string[] {
  const named = (isMeant: (each: Operation) => boolean) =>
    listed(
      operationIds.filter((id) => isMeant(operation(id))),
      'and',
    );
  const unlisted = named(({ undo, shownBy }) => undo !== undefined && shownBy === undefined);
  const overwritten = named(({ effect, restoredBy }) => effect === 'overwriting' && restoredBy === undefined);
  return [
    ...(allowed.has('reversible')
      ? [`  undo what a person did with ${unlisted}, if the service accepts it twice, because no list shows it`]
      : []),
    ...(allowed.has('overwriting')
      ? [`  overwrite for good what a person saved with ${overwritten}, because no request shows it`]
      : []),
  ];
}

function permissions(environment: Environment, usesUp: string | undefined): string {
  const { name, addresses, allowedEffects, caller, friend, provisionUrl } = environment;
  const width = Math.max(...areaIds.map((area) => areas[area].title.length));
  const may = effects.filter((effect) => allowedEffects.has(effect));
  const mayNot = effects.filter((effect) => !allowedEffects.has(effect));
  const { maxRequestsPerSecond, maxConcurrency } = environment.rateLimits ?? {};
  const perSecond = maxRequestsPerSecond && `${counted(maxRequestsPerSecond, 'request')} per second`;
  const ofEffect = (effect: Effect) => operationIds.filter((id) => operation(id).effect === effect);
  const unrestorable = unrestorableText(environment);
  const mayRestore = canRestore(environment) && !allowedEffects.has('overwriting');
  return [
    `A run against ${name} calls`,
    ...areaIds.map((area) => `  ${areas[area].title.padEnd(width)}  ${addresses[area].href}`),
    `as ${caller.userId} of ${caller.clientId}${friend.accessToken ? `, and as ${friend.userId}` : ''}, and may`,
    ...may.map((effect) => `  ${effectTexts[effect]} (${effect}): ${ofEffect(effect).join(', ')}`),
    ...(mayRestore ? ['  change the profile if it can be read first, and restore it'] : []),
    ...(unrestorable ? [`  overwrite a profile for good: ${unrestorable}`] : []),
    ...(provisionUrl ? [] : unseenTexts(allowedEffects)),
    ...(usesUp ? [`Each run ${usesUp}; --keep-items leaves these scenarios out.`] : []),
    ...(mayNot.length > 0 ? [`It sends no ${listed(mayNot, 'or')} requests.`] : []),
    ...(provisionUrl && allowedEffects.has('reversible')
      ? [`Provisioner: ${provisionUrl.href} creates its users`]
      : []),
    `Rate limits: ${[perSecond, maxConcurrency && `${maxConcurrency} at a time`].filter(Boolean).join(', ') || 'none'}`,
  ].join('\n');
}
