import { listOf, recordOf, textOf } from '../document.ts';
import type { Variable } from '../variable.ts';
import type { Format } from './format.ts';

/** Postman's export of an environment: a list of values. */
export const postmanEnvironment: Format = {
  kind: 'a Postman environment',
  read: ({ json }) => {
    const { name, values } = recordOf(json) ?? {};
    if (!Array.isArray(values)) return undefined;
    return { ...(typeof name === 'string' ? { name } : {}), variables: postmanVariables(values), requests: [] };
  },
};

export function postmanVariables(list: unknown): Variable[] {
  return listOf(list).map((each) => {
    const { key, value, enabled, disabled, type } = recordOf(each) ?? {};
    return {
      key: textOf(key),
      value: textOf(value),
      enabled: enabled !== false && disabled !== true,
      isSecret: type === 'secret',
    };
  });
}
