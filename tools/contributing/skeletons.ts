import type { Change } from '../../src/cli/skeletons/insert.ts';
import {
  channelSkeleton,
  type OperationWish,
  operationSkeleton,
  scenarioSkeleton,
} from '../../src/cli/skeletons/skeletons.ts';

/** What `sextant new operation` is given: an operation with a request record that is new. */
export const keepStory =
  '--area stories --method POST --path /v1/stories/keep --request storyKeep --effect irreversible'.split(' ');

/** What `sextant new operation` writes for one in stories that only reads, but for `changes`. */
function operation(name: string, path: string, changes: Partial<OperationWish> = {}) {
  const usual = { area: 'stories', method: 'GET', headers: 'user', effect: 'read' } as const;
  return operationSkeleton({ ...usual, name, path, ...changes });
}

/** What else `sextant new` writes: a title that needs several lines, channels, operations with other headers and arguments. */
export function otherSkeletons(): Change[] {
  const long = 'a user whose story is loved by many others sees every one';
  const again = { method: 'POST', effect: 'reversible', request: 'storyReference' } as const;
  return [
    scenarioSkeleton({ name: long, area: 'gameDesign', effect: 'irreversible' }, new Map()),
    ...['beeper', 'zulip'].map(channelSkeleton),
    operation('showPins', '/v1/stories/pins/{storyId}/{page}'),
    operation('loveAgain', '/v1/stories/again', again),
    operation('listFlags', '/v1/apikey/flags', { area: 'features', headers: 'flag' }),
  ].flatMap(({ changes }) => changes);
}

/** Puts a call in the place of what the skeleton of a scenario says instead of its story. */
export function filledIn(file: string, call: string, values = '{ stories }'): Change {
  return {
    file,
    make: (text = '') =>
      text
        .replace(', unwritten', '')
        .replace('async ({ stories })', `async (${values})`)
        .replace(/ {2}\/\/ await.*\n.*\n/, `  await ${call}.succeeds();\n`),
  };
}
