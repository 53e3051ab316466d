import { channelSkeleton } from '../../src/cli/skeletons/channel.ts';
import type { Change } from '../../src/cli/skeletons/insert.ts';
import { operationSkeleton } from '../../src/cli/skeletons/operation.ts';
import { scenarioSkeleton } from '../../src/cli/skeletons/scenario.ts';

/** What `sextant new operation` is given: an operation with a request record that is new. */
export const keepStory =
  '--area stories --method POST --path /v1/stories/keep --request storyKeep --effect irreversible'.split(' ');

/** What else `sextant new` writes: a title that needs several lines, channels, operations with other headers and arguments. */
export function otherSkeletons(): Change[] {
  const long = 'a user whose story is loved by many others sees every one';
  return [
    scenarioSkeleton({ name: long, area: 'gameDesign', effect: 'irreversible' }, new Map()),
    ...['beeper', 'zulip'].map(channelSkeleton),
    operationSkeleton({
      name: 'showPins',
      area: 'stories',
      method: 'GET',
      path: '/v1/stories/pins/{storyId}/{page}',
      headers: 'user',
      effect: 'read',
    }),
    operationSkeleton({
      name: 'loveAgain',
      area: 'stories',
      method: 'POST',
      path: '/v1/stories/again',
      headers: 'user',
      effect: 'reversible',
      request: 'storyReference',
    }),
    operationSkeleton({
      name: 'listFlags',
      area: 'features',
      method: 'GET',
      path: '/v1/apikey/flags',
      headers: 'flag',
      effect: 'read',
    }),
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
