import { text } from '../../../config/index.ts';
import type { ChannelType } from '../channel.ts';
import { cut, fittedText } from '../fitted-text.ts';
import { optional, required, webAddress } from '../keys.ts';
import type { Notice } from '../notice.ts';
import { postJson } from '../post-json.ts';

const icons: Readonly<Record<Notice['kind'], string>> = {
  down: '🔴',
  more: '🔴',
  part: '🟠',
  still: '🟠',
  up: '🟢',
  over: '⚪',
  expiring: '🟠',
  test: '⚪',
};

/** Telegram's limit of a message, in characters. */
const MOST_TEXT = 4_096;
const MOST_HEADLINE = 500;

/** A chat on Telegram, through a bot (Bot API, `sendMessage`); plain text, so that nothing is markup. */
export const telegram: ChannelType = {
  keys: {
    TELEGRAM_BOT_TOKEN: required(text, 'token of the bot, from @BotFather'),
    TELEGRAM_CHAT_ID: required(text, 'id of the chat, or @name of the channel'),
    TELEGRAM_URL: optional(webAddress, 'address of the Bot API', 'https://api.telegram.org/'),
  },
  open:
    ({ TELEGRAM_BOT_TOKEN = '', TELEGRAM_CHAT_ID = '', TELEGRAM_URL = '' }) =>
    async (notice, sending) => {
      const headline = `${icons[notice.kind]} ${cut(notice.headline, MOST_HEADLINE)}\n`;
      const message = {
        chat_id: TELEGRAM_CHAT_ID,
        text: headline + fittedText(notice, MOST_TEXT - headline.length),
        link_preview_options: { is_disabled: true },
      };
      const url = new URL(`./bot${TELEGRAM_BOT_TOKEN}/sendMessage`, TELEGRAM_URL.replace(/\/?$/, '/'));
      await postJson(url.href, JSON.stringify(message), {}, sending);
    },
};
