import {
  type KeyName,
  keys,
  requiredKeys,
  type SecretKey,
  secretKeys,
  secretVariable,
} from '../../../environment/index.ts';
import { type AreaId, areaIds, areas } from '../../../service/index.ts';
import { BACK, confirms } from './asker.ts';
import { type Interview, isSecretKey } from './draft.ts';

export type Key = KeyName | SecretKey;
/** A step of the interview: the key whose value is asked for, or the question whether to enter test data. */
export type Step = Key | 'test data';

/** Number of the required keys up to USER_ID, which describe the caller. The interview asks for the credentials after these keys. */
const callerEnds = requiredKeys.indexOf('USER_ID') + 1;

/** The keys that every environment needs, in the order of the questions. */
const neededKeys: readonly Key[] = [
  ...requiredKeys.slice(0, callerEnds),
  'ACCESS_TOKEN',
  'API_KEY',
  ...requiredKeys.slice(callerEnds),
];

/** Keys that some reads need. No response of the service shows their values, so the interview has to ask for them. */
const readingKeys: readonly Key[] = ['FRIEND_PROFILE_REQUEST', 'FRIEND_USER_ID', 'FRIEND_ACCESS_TOKEN'];

/** Test data for scenarios that change something or check more. */
const dataKeys: readonly Key[] = [
  'OTHER_USER_IDS',
  'STORY_ID',
  'OTHER_STORY_ID',
  'FLAG_KEY',
  'FLAG_VALUE',
  'FROM_CLIENT_ID',
  'TYPE_NAME',
  'TYPE_VERSION',
  'STORED_ITEM_IDS',
  'AVATAR_ITEM_IDS',
];

export const steps: readonly Step[] = [...neededKeys, ...readingKeys, 'test data', ...dataKeys];

function isRequired(key: Key): boolean {
  return neededKeys.includes(key);
}

/** The format of a key's value, for the line below its question. `leavesOut` is the answer with which a person skips the key. */
function formatOf(key: Key, leavesOut = 'Enter'): string {
  const meaning = isSecretKey(key) ? secretKeys[key] : keys[key].meaning;
  if (isSecretKey(key)) return `${meaning}, 8 characters or more, without "bearer"; not shown`;
  const area = areaIds.find((each) => areas[each].addressKey === key)?.toLowerCase();
  if (area) return `${meaning}: everything before /v1, e.g. https://api.staging.your.org/${area}`;
  return isRequired(key) ? meaning : `${meaning}; ${leavesOut} leaves it out`;
}

/** Suggestions that fit most environments. All other suggestions come from earlier answers. */
const usual: Readonly<Record<string, string>> = { APP_VER: '1', APP_PLATFORM: 'web', APP_LANG: 'en' };

export function suggestionFor(key: Key, name: string, values: ReadonlyMap<string, string>): string | undefined {
  if (key === 'APP_ENV') return name;
  const at = areaIds.findIndex((area) => areas[area].addressKey === key);
  // Suggests the address of the previous area, because the addresses are often similar. Tab puts the suggestion into the line, where the
  // person can change it.
  return at > 0 ? values.get(areas[areaIds[at - 1] as AreaId].addressKey) : usual[key];
}

/** The answer with which a person skips an optional key that has a suggestion, because Enter would accept the suggestion. */
const LEFT_OUT = '-';

/** Asks for all keys in order, including keys that already have a value; Enter keeps the value. `<` returns to the previous question. */
export async function askAll(asked: readonly Step[], interview: Interview): Promise<void> {
  const before: number[] = [];
  for (let at = 0; at < asked.length; ) {
    const outcome = await ask(asked[at] as Step, interview);
    if (outcome === 'asked') before.push(at);
    if (outcome === 'done') return;
    if (outcome !== 'back') at++;
    else if (before.length > 0) at = before.pop() ?? 0;
    else interview.asker.say('  This is the first question.');
  }
}

/** `none`: there was nothing to ask; `done`: the person wants no more questions. */
type Asked = 'asked' | 'none' | 'back' | 'done';

async function ask(step: Step, interview: Interview): Promise<Asked> {
  const question = 'Enter test data for changes now (users, stories, flag, type, items)?';
  if (step === 'test data') return (await confirms(interview.asker, question, 'no')) ? 'asked' : 'done';
  return isSecretKey(step) ? askSecret(step, interview) : askValue(step, interview);
}

async function askSecret(key: SecretKey, { asker, name, draft, env }: Interview): Promise<Asked> {
  if (key === 'FRIEND_ACCESS_TOKEN' && !draft.has('FRIEND_USER_ID')) return 'none';
  const variable = secretVariable(name, key);
  const given = [variable, `${variable}_COMMAND`, `${variable}_FILE`].find((each) => env[each]);
  const issuer = key === 'ACCESS_TOKEN' && draft.has('TOKEN_URL') ? 'TOKEN_URL' : undefined;
  if (given ?? issuer) {
    asker.say(`  ${key} comes from ${given ? `${given} in the process environment` : issuer}.`);
    return 'none';
  }
  const isKept = draft.secrets.has(key);
  let doubted: string | undefined;
  const check = (value: string) => {
    if (!looksPublic(value) || value === doubted) return draft.check(key, withoutScheme(value));
    doubted = value;
    return { problem: 'looks like the value of another key (this one is a secret); enter it again if it is correct' };
  };
  const answer = await asker.text({
    message: key,
    format: `${formatOf(key)}${isKept ? '; Enter keeps the present one' : ''}`,
    isOptional: isKept || !isRequired(key),
    check,
    isHidden: true,
  });
  if (answer === BACK) return 'back';
  if (answer !== '') draft.set(key, withoutScheme(answer));
  return 'asked';
}

async function askValue(key: KeyName, { asker, name, draft }: Interview): Promise<Asked> {
  const suggestion = draft.values.get(key) ?? suggestionFor(key, name, draft.values);
  const isLeftOut = (value: string) => !isRequired(key) && value === LEFT_OUT;
  const answer = await asker.text({
    message: key,
    format: formatOf(key, suggestion === undefined ? 'Enter' : LEFT_OUT),
    suggestion,
    isOptional: !isRequired(key),
    check: (value) => (isLeftOut(value) ? { value } : draft.check(key, value)),
  });
  if (answer === BACK) return 'back';
  if (answer === '' || isLeftOut(answer)) draft.remove(key);
  else draft.set(key, answer);
  return 'asked';
}

/**
 * Whether a value looks like an address or the name of an app, and so is hardly a secret. A person who types ahead may enter such a value
 * at a prompt for a secret, where the typed text is hidden.
 */
function looksPublic(value: string): boolean {
  return /^https?:\/\//i.test(value) || /^[a-z]{2,}(\.[a-z][\w-]{0,30}){1,4}$/i.test(value);
}

/** Removes the word `bearer`, because tokens are often copied together with it. */
function withoutScheme(value: string): string {
  return value.trim().replace(/^bearer\s+/i, '');
}
