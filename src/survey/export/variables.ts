import type { Environment } from '../../config/index.ts';
import { InventedData } from '../../scenario/index.ts';
import { areaIds, areas } from '../../spec/index.ts';

/** A variable that isn't secret; an empty value is for the user to fill in. */
export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Test data, and an invented user or flag, which is enough, where the environment names none. */
function dataOf({ caller, friend, data }: Environment, unusedItem: string | undefined) {
  const invented = new InventedData(0);
  return {
    FRIEND_USER_ID: friend.userId ?? invented.idLike(caller.userId),
    STORY_ID: data.storyId,
    REPORT_LANGUAGE: data.reportLanguage,
    FLAG_KEY: data.flagKey ?? invented.text(),
    FROM_CLIENT_ID: data.fromClientId,
    TYPE_NAME: data.typeName,
    TYPE_VERSION: data.typeVersion,
    STORED_ITEM_ID: unusedItem,
  };
}

export type VariableName = keyof ReturnType<typeof dataOf>;

export function exportedVariables(environment: Environment, unusedItem: string | undefined): Variable[] {
  const { addresses, caller } = environment;
  const all: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries(areaIds.map((area) => [areas[area].addressKey, addresses[area].href.replace(/\/$/, '')])),
    CLIENT_ID: caller.clientId,
    USER_ID: caller.userId,
    ...Object.fromEntries(
      Object.entries(caller.app).map(([name, value]) => [name.toUpperCase().replace('-', '_'), value]),
    ),
    ...dataOf(environment, unusedItem),
  };
  return Object.entries(all).map(([name, value = '']) => ({ name, value }));
}

/**
 * How a request refers to a variable. Tools put values in as they are: one that a path or a JSON text would change stands there
 * itself, in the form that it needs.
 */
export function reference(
  name: VariableName,
  variables: readonly Variable[],
): { readonly inPath: string; readonly inJson: string } {
  const { value } = variables.find((each) => each.name === name) as Variable;
  const isPlain = JSON.stringify(value) === `"${value}"`;
  const inPath = encodeURIComponent(value);
  return { inPath: inPath === value ? `{{${name}}}` : inPath, inJson: isPlain ? `{{${name}}}` : value };
}

/** A text of a request with its values; secrets stay variables. `undefined` where the environment lacks a value. */
export function filled(text: string, variables: readonly Variable[]): string | undefined {
  let isWhole = true;
  const made = text.replace(/\{\{(\w+)\}\}/g, (reference, name) => {
    const variable = variables.find((each) => each.name === name);
    isWhole &&= variable?.value !== '';
    return variable?.value ?? reference;
  });
  return isWhole ? made : undefined;
}
