import { type Checked, text } from '../../../config/index.ts';
import { cut } from '../../status/texts.ts';
import { type ChannelType, optional, posting, required, webAddress } from '../channel.ts';
import type { Notice } from '../notice.ts';
import { fittedText, noticeLines } from '../notice-lines.ts';

/** How bad the news are, as each chat shows it; the colours of cards are names of Adaptive Cards. */
const shades = {
  red: { circle: '🔴', slack: ':red_circle:', discord: 0xcf222e, card: 'Attention' },
  orange: { circle: '🟠', slack: ':large_orange_circle:', discord: 0xbc4c00, card: 'Warning' },
  green: { circle: '🟢', slack: ':large_green_circle:', discord: 0x1a7f37, card: 'Good' },
  white: { circle: '⚪', slack: ':white_circle:', discord: 0x59636e, card: 'Default' },
} as const;

/** The shade of each kind of notice, and its priority for ntfy: 1 is the lowest, 3 the default, 5 the highest. */
const looks = {
  down: { shade: 'red', priority: 5 },
  more: { shade: 'red', priority: 4 },
  still: { shade: 'orange', priority: 4 },
  up: { shade: 'green', priority: 3 },
  expiring: { shade: 'orange', priority: 4 },
  test: { shade: 'white', priority: 2 },
} as const satisfies Record<Notice['kind'], { readonly shade: keyof typeof shades; readonly priority: number }>;

function shadeOf({ kind }: Pick<Notice, 'kind'>): (typeof shades)[keyof typeof shades] {
  return shades[looks[kind].shade];
}

/** What a message of Discord or Telegram holds, in characters, and one of ntfy, in bytes: a longer one becomes an attachment. */
const MOST = 4_096;

/** An incoming webhook of Slack, Mattermost or Rocket.Chat. */
export const slack: ChannelType = posting(
  { SLACK_WEBHOOK_URL: required(webAddress, 'incoming webhook of Slack or a compatible service') },
  (notice, { SLACK_WEBHOOK_URL = '' }) => {
    // Slack interprets these three characters as markup.
    const escaped = (line: string) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const [headline = '', ...lines] = noticeLines(notice).map(escaped);
    const body = { text: `${shadeOf(notice).slack} *${headline}*\n${lines.join('\n')}` };
    return { url: SLACK_WEBHOOK_URL, body };
  },
);

/** A webhook of a Discord channel ("Execute Webhook"). Whatever a service's text contains, no user or role is mentioned. */
export const discord: ChannelType = posting(
  { DISCORD_WEBHOOK_URL: required(webAddress, 'webhook of a Discord channel') },
  (notice, { DISCORD_WEBHOOK_URL = '' }) => {
    // In a code block, Discord interprets no markup; a fence in the text would end it.
    const codeBlock = (lines: string) => ['```', lines.replaceAll('```', "'''"), '```'].join('\n');
    const embed = {
      title: cut(notice.headline, 256),
      description: codeBlock(fittedText(notice, MOST - codeBlock('').length)),
      url: notice.link,
      color: shadeOf(notice).discord,
      timestamp: notice.at,
    };
    return {
      url: DISCORD_WEBHOOK_URL,
      body: { username: 'Sextant', allowed_mentions: { parse: [] }, embeds: [embed] },
    };
  },
);

/** Microsoft Teams: a workflow that posts an Adaptive Card when its webhook is called. */
export const teams: ChannelType = posting(
  { TEAMS_WEBHOOK_URL: required(webAddress, 'webhook of a Teams workflow that posts Adaptive Cards') },
  (notice, { TEAMS_WEBHOOK_URL = '' }) => {
    // A TextBlock interprets a subset of Markdown.
    const plain = (line: string) => line.replace(/[\\`*_[\]#~]/g, '\\$&');
    const textBlock = (line: string, style: object) => ({ type: 'TextBlock', text: plain(line), wrap: true, ...style });
    // A card holds 28 kB, and each line has 60 bytes around it.
    const lines = fittedText(notice, 4_000).split('\n');
    const headline = { weight: 'Bolder', size: 'Medium', color: shadeOf(notice).card };
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      msteams: { width: 'Full' },
      body: [
        textBlock(cut(notice.headline, 500), headline),
        ...lines.filter((line) => line.trim() !== '').map((line) => textBlock(line.trim(), { spacing: 'Small' })),
      ],
      actions: [{ type: 'Action.OpenUrl', title: 'Open incident', url: notice.link }],
    };
    const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
    return { url: TEAMS_WEBHOOK_URL, body: { type: 'message', attachments: [attachment] } };
  },
);

/** A chat on Telegram, through a bot (Bot API, `sendMessage`); plain text, so that nothing is markup. */
export const telegram: ChannelType = posting(
  {
    TELEGRAM_BOT_TOKEN: required(text, 'token of the bot, from @BotFather'),
    TELEGRAM_CHAT_ID: required(text, 'id of the chat, or @name of the channel'),
    TELEGRAM_URL: optional(webAddress, 'address of the Bot API', 'https://api.telegram.org/'),
  },
  (notice, { TELEGRAM_BOT_TOKEN = '', TELEGRAM_CHAT_ID = '', TELEGRAM_URL = '' }) => {
    const headline = `${shadeOf(notice).circle} ${cut(notice.headline, 500)}\n`;
    const body = {
      chat_id: TELEGRAM_CHAT_ID,
      text: headline + fittedText(notice, MOST - headline.length),
      link_preview_options: { is_disabled: true },
    };
    return { url: new URL(`./bot${TELEGRAM_BOT_TOKEN}/sendMessage`, TELEGRAM_URL.replace(/\/?$/, '/')).href, body };
  },
);

/** A topic of ntfy, on ntfy.sh or a server of your own ("Publish as JSON"). */
export const ntfy: ChannelType = posting(
  {
    NTFY_URL: required(topicAddress, 'address of the topic, e.g. https://ntfy.sh/your-topic'),
    NTFY_TOKEN: optional(text, 'access token, where the topic needs one'),
  },
  (notice, { NTFY_URL = '', NTFY_TOKEN }) => {
    const { server, topic } = topicOf(new URL(NTFY_URL));
    const body = {
      topic,
      title: cut(notice.headline, 250),
      message: fittedText(notice, MOST, Buffer.byteLength),
      priority: looks[notice.kind].priority,
      // A name of an emoji, which ntfy shows before the title.
      tags: [`${looks[notice.kind].shade}_circle`],
      click: notice.link,
    };
    return { url: server, body, headers: NTFY_TOKEN ? { authorization: `Bearer ${NTFY_TOKEN}` } : {} };
  },
);

/** JSON is published to the server itself; the topic is the last part of the address. */
function topicOf(url: URL): { readonly server: string; readonly topic: string } {
  const parts = url.pathname.split('/').filter(Boolean);
  const topic = parts.pop() ?? '';
  return { server: new URL(`/${parts.map((part) => `${part}/`).join('')}`, url).href, topic };
}

function topicAddress(value: string): Checked<string> {
  const checked = webAddress(value);
  if ('problem' in checked || topicOf(new URL(value)).topic) return checked;
  return { problem: 'has no topic in its path' };
}
