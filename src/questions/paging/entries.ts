import { type Exchange, exactly, leaves, mentions } from '../../http/index.ts';

/** The place of a list in a response: the field names on the path to it. */
export type ListPlace = readonly string[];

const DEEPEST = 10;

/**
 * The place of the list or map in which the most entries mention an id of `known`. If no entry mentions any, the place of the outermost
 * list; `undefined` if there is no list.
 */
export function listPlace({ response }: Exchange, known: readonly string[]): ListPlace | undefined {
  const json = response?.body.json;
  if (!json?.ok) return undefined;
  // A value that mentions several ids is no entry, but a container around the list.
  const mentionsOne = (entry: unknown) => known.filter((id) => mentions(entry, id, true)).length === 1;
  const ranked = containers(json.value)
    .map(({ place, value }) => ({
      place,
      found: entriesOf(value).filter(mentionsOne).length,
      isList: Array.isArray(value),
    }))
    .filter(({ found, isList }) => found > 0 || isList);
  // If two places have equally many entries that mention an id, a list comes before a map, and an outer list before an inner one.
  return ranked.sort((a, b) => b.found - a.found || Number(b.isList) - Number(a.isList))[0]?.place;
}

export function isContainerAt({ response }: Exchange, place: ListPlace, kind?: 'map'): boolean {
  const json = response?.body.json;
  const value = json?.ok ? valueAt(json.value, place) : undefined;
  // Some services write an empty list or map as null.
  return kind ? isContainer(value) && !Array.isArray(value) : value === null || isContainer(value);
}

/**
 * The keys of a list's entries, in the order of the list. The key of an entry is the id of `known` that it mentions. If it mentions none,
 * its key consists of all its texts.
 */
export function entryKeys(
  exchange: Exchange,
  known: readonly string[],
  place: ListPlace | undefined = listPlace(exchange, known),
): string[] {
  const json = exchange.response?.body.json;
  const container = json?.ok && place ? valueAt(json.value, place) : undefined;
  if (typeof container !== 'object' || container === null) return [];
  return entriesOf(container).map((entry) => known.find((id) => mentions(entry, id, true)) ?? textsOf(entry));
}

/** The texts of an entry, as one key. `leaves` reads them, because JSON.stringify fails if an entry is nested too deeply. */
function textsOf(entry: unknown): string {
  return JSON.stringify([...leaves(entry)].map(({ text }) => text));
}

function containers(root: unknown): { readonly place: ListPlace; readonly value: object }[] {
  const found: { place: ListPlace; value: object }[] = [];
  let level: { place: ListPlace; value: unknown }[] = [{ place: [], value: root }];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const here = level.filter((each): each is { place: ListPlace; value: object } => isContainer(each.value));
    found.push(...here);
    level = here.flatMap(({ place, value }) =>
      Object.entries(value).map(([name, child]) => ({ place: [...place, name], value: child })),
    );
  }
  return found;
}

/** The entries of a list; for a map, an object for each value, with the value's name. */
function entriesOf(container: object): unknown[] {
  return Array.isArray(container)
    ? container.map((entry, index) => exactly(container, String(index), entry))
    : Object.entries(container).map(([name, value]) => ({ [name]: value }));
}

function valueAt(root: unknown, place: ListPlace): unknown {
  return place.reduce<unknown>((value, name) => (isContainer(value) ? Reflect.get(value, name) : undefined), root);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
