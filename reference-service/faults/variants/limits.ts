import type { CallableId } from '../../../src/spec/index.ts';
import { Refusal } from '../../refusal.ts';
import type { Variant } from '../kind.ts';

type Body = Record<string, unknown>;

const limits = 'part 8: limits (text length among them) are not shown';
const values = 'part 2: allowed values of status, gender and avatar item type are not shown';

const only = (
  name: string,
  operation: CallableId,
  correctBecause: string,
  isFine: (body: Body) => boolean,
): Variant => ({
  name,
  operation,
  correctBecause,
  validate: (original) => (entry, body) => {
    const valid = original(entry, body) as Body;
    if (!isFine(valid)) throw new Refusal(422, 'not_allowed', 'outside of what is allowed here');
    return valid;
  },
});

const isShort = (value: unknown, most: number) => value === undefined || String(value).length <= most;

/** Valid variants that allow less than the reference service. */
export const limitVariants: readonly Variant[] = [
  only('saveAvatar-of-short-names', 'saveAvatar', limits, ({ name }) => isShort(name, 16)),
  only('saveAvatar-of-items-of-type-1', 'saveAvatar', values, ({ items }) =>
    (items as Body[]).every(({ type }) => type === 1),
  ),
  only(
    'updateProfile-of-short-texts',
    'updateProfile',
    limits,
    ({ name, status }) => isShort(name, 16) && isShort(status, 16),
  ),
  only('updateProfile-of-two-genders', 'updateProfile', values, ({ gender }) =>
    [undefined, 1, 2].includes(gender as 1),
  ),
  only('report-of-short-messages', 'report', limits, ({ message }) => isShort(message, 20)),
  only('cloneType-of-short-versions', 'cloneType', limits, ({ TypeVersion }) => isShort(TypeVersion, 8)),
];
