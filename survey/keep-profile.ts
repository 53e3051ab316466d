import { readProfile } from '../catalogue/index.ts';
import { leaves } from '../client/index.ts';
import type { Lab } from './lab.ts';

const fields = ['name', 'status', 'url', 'gender'] as const;

/**
 * Reads the caller's profile before anything is overwritten, and gives what puts it back. A fresh user's needs no
 * putting back; where it can't be read, it can't be put back either.
 * @returns what could not be put back
 */
export async function keepProfile(lab: Lab): Promise<() => Promise<string[]>> {
  const { allowedEffects, readProfile: request } = lab.environment;
  if (lab.isDisposable || !request || !allowedEffects.has('overwriting')) return async () => [];
  const { answer } = await lab.send(readProfile.id, await lab.valid(readProfile.id));
  const before = answer?.body.json.ok ? fieldsIn(answer.body.json.value) : {};
  return async () => {
    if (Object.keys(before).length === 0) return ['updateProfile: the earlier profile could not be read'];
    const includes = 'name;status;avartarUrl;gender';
    await lab.budget.takeAnyway();
    const { answer: put } = await lab.session.exchange(lab.entry('updateProfile'), { includes, ...before }, new Map());
    return put && put.status < 400 ? [] : [`updateProfile ${JSON.stringify(before)}`];
  };
}

function fieldsIn(value: unknown): Record<string, string | number> {
  const found: Record<string, string | number> = {};
  for (const { path, text, isKey } of leaves(value)) {
    const field = fields.find((name) => name === path.at(-1));
    if (isKey || !field || path.includes('avatar') || field in found) continue;
    found[field] = field === 'gender' ? Number(text) : text;
  }
  return found;
}
