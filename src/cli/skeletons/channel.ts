import { ConfigurationError } from '../../config/index.ts';
import { channelTypes } from '../../monitor/index.ts';
import { entryIn, identifier, importIn, newFile, type Skeleton, words } from './insert.ts';

const folder = 'src/monitor/alerting';

/** @throws ConfigurationError */
export function channelSkeleton(given: string): Skeleton {
  const name = identifier('an alert channel', given, /^[a-z][a-z0-9]*$/, 'pager');
  if (Object.hasOwn(channelTypes, name))
    throw new ConfigurationError(`The alert channel ${name} exists already. Choose another name.`);
  const key = `${name.toUpperCase()}_URL`;
  const text = `import { type ChannelType, required, SendFailed, webAddress } from '../channel.ts';

/** ${words(name)}: not written yet. \`posting\` in channel.ts makes a channel that sends JSON. */
export const ${name}: ChannelType = {
  keys: { ${key}: required(webAddress, 'address of ${name}') },
  open: () => async () => {
    throw new SendFailed('${folder}/channels/${name}.ts is not written yet', { isFinal: true });
  },
};
`;
  return {
    changes: [
      newFile(`${folder}/channels/${name}.ts`, text),
      importIn(`${folder}/channels/registry.ts`, name, `./${name}.ts`),
      entryIn(`${folder}/channels/registry.ts`, 'export const channelTypes = {', `  ${name},\n`),
    ],
    next: [
      `write how it sends: ${folder}/channels/${name}.ts`,
      'npm run pages puts its keys into docs/monitoring.md',
      `try it: ${key}=https://… in monitor.env, then npx sextant alerts test --channel ${name}`,
    ],
  };
}
