import type { ChannelType } from '../channel.ts';
import { cut, fittedText } from '../fitted-text.ts';
import { required, webAddress } from '../keys.ts';
import type { Notice } from '../notice.ts';
import { postJson } from '../post-json.ts';

const colours: Readonly<Record<Notice['kind'], number>> = {
  down: 0xcf222e,
  more: 0xcf222e,
  part: 0xbc4c00,
  still: 0xbc4c00,
  up: 0x1a7f37,
  over: 0x59636e,
  expiring: 0xbc4c00,
  test: 0x59636e,
};

/** Discord's limits of an embed, in characters. */
const MOST_TITLE = 256;
const MOST_DESCRIPTION = 4_096;

/** A webhook of a Discord channel ("Execute Webhook"). Whatever a service's text contains, no user or role is mentioned. */
export const discord: ChannelType = {
  keys: { DISCORD_WEBHOOK_URL: required(webAddress, 'webhook of a Discord channel') },
  open:
    ({ DISCORD_WEBHOOK_URL = '' }) =>
    async (notice, sending) => {
      const message = {
        username: 'Sextant',
        allowed_mentions: { parse: [] },
        embeds: [
          {
            title: cut(notice.headline, MOST_TITLE),
            description: codeBlock(fittedText(notice, MOST_DESCRIPTION - codeBlock('').length)),
            url: notice.link,
            color: colours[notice.kind],
            timestamp: notice.at,
          },
        ],
      };
      await postJson(DISCORD_WEBHOOK_URL, JSON.stringify(message), {}, sending);
    },
};

/** In a code block, Discord interprets no markup; a fence in the text would end it. */
function codeBlock(text: string): string {
  return ['```', text.replaceAll('```', "'''"), '```'].join('\n');
}
