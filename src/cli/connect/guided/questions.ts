import { type KeyName, keys, requiredKeys, type SecretKey, secretKeys, secretVariable } from '../../../config/index.ts';
import { type AreaId, areaIds, areas } from '../../../spec/index.ts';
import { type Interview, isSecretKey, issuersOf } from './draft.ts';

type Key = KeyName | SecretKey;

/** The last key that says who calls; the credentials are asked for after it. */
const callerEnds = requiredKeys.indexOf('USER_ID') + 1;

/** What an environment can't do without, in the order of the questions. */
export const neededKeys: readonly Key[] = [
  ...requiredKeys.slice(0, callerEnds),
  'ACCESS_TOKEN',
  'API_KEY',
  ...requiredKeys.slice(callerEnds),
];

/** What reading needs, or what can be known by reading. */
export const readingKeys: readonly Key[] = [
  'REPORT_LANGUAGE',
  'FRIEND_PROFILE_REQUEST',
  'FRIEND_USER_ID',
  'FRIEND_ACCESS_TOKEN',
];

/** What scenarios that change something need. */
export const changingKeys: readonly Key[] = [
  'STORY_ID',
  'FLAG_KEY',
  'FROM_CLIENT_ID',
  'TYPE_NAME',
  'TYPE_VERSION',
  'STORED_ITEM_IDS',
];

export function isRequired(key: Key): boolean {
  return neededKeys.includes(key);
}

/** The format of a key's value, for the line below its question; `leavesOut` is the answer that leaves it out. */
export function formatOf(key: Key, leavesOut = 'Enter'): string {
  const meaning = isSecretKey(key) ? secretKeys[key] : keys[key].meaning;
  if (isSecretKey(key)) return `${meaning}, 8 characters or more, without "bearer"; not shown`;
  const isAddress = areaIds.some((area) => areas[area].addressKey === key);
  if (isAddress) return `${meaning}: everything before /v1, e.g. https://api.staging.your.org/friends`;
  return isRequired(key) ? meaning : `${meaning}; ${leavesOut} leaves it out`;
}

/** What most environments have; everything else is offered from what was entered before. */
const usual: Readonly<Record<string, string>> = { APP_VER: '1', APP_PLATFORM: 'web', APP_LANG: 'en' };

export function suggestionFor(key: Key, name: string, values: ReadonlyMap<string, string>): string | undefined {
  if (key === 'APP_ENV') return name;
  if (key === 'REPORT_LANGUAGE') return values.get('APP_LANG');
  const at = areaIds.findIndex((area) => areas[area].addressKey === key);
  // Tab puts it into the line, where it can be changed.
  return at > 0 ? values.get(areas[areaIds[at - 1] as AreaId].addressKey) : usual[key];
}

/** The answer that leaves out a key for which Enter would take a suggestion. */
const LEFT_OUT = '-';

/** Asks for the values of keys, those that have one already too; Enter keeps it. */
export async function askFor(asked: readonly Key[], interview: Interview): Promise<void> {
  for (const key of asked) {
    if (key === 'FRIEND_ACCESS_TOKEN' && !interview.draft.has('FRIEND_USER_ID')) continue;
    await (isSecretKey(key) ? askSecret(key, interview) : askValue(key, interview));
  }
}

async function askSecret(key: SecretKey, { asker, name, draft, env }: Interview): Promise<void> {
  const variable = secretVariable(name, key);
  const given = [variable, ...issuersOf(variable)].find((each) => env[each]);
  if (given) return asker.say(`  ${key} comes from ${given} in the process environment.`);
  const issuer = [...issuersOf(key), ...(key === 'ACCESS_TOKEN' ? ['TOKEN_URL'] : [])].find(draft.has);
  if (issuer) return asker.say(`  ${key} comes from ${issuer}.`);
  const isKept = draft.secrets.has(key);
  const answer = await asker.text({
    message: key,
    format: `${formatOf(key)}${isKept ? '; Enter keeps the one that is there' : ''}`,
    isOptional: isKept || !isRequired(key),
    check: (value) => draft.check(key, withoutScheme(value)),
    masked: (value) => '*'.repeat(value.length),
  });
  if (answer !== '') draft.set(key, withoutScheme(answer));
}

async function askValue(key: KeyName, { asker, name, draft }: Interview): Promise<void> {
  const suggestion = draft.values.get(key) ?? draft.offers.get(key) ?? suggestionFor(key, name, draft.values);
  const isLeftOut = (value: string) => !isRequired(key) && value === LEFT_OUT;
  const answer = await asker.text({
    message: key,
    format: formatOf(key, suggestion === undefined ? 'Enter' : LEFT_OUT),
    suggestion,
    isOptional: !isRequired(key),
    check: (value) => (isLeftOut(value) ? { value } : draft.check(key, value)),
  });
  if (answer === '' || isLeftOut(answer)) draft.remove(key);
  else draft.set(key, answer);
}

/** A token is often copied with the word before it. */
function withoutScheme(value: string): string {
  return value.trim().replace(/^bearer\s+/i, '');
}
