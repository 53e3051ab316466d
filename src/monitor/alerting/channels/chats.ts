import { type Checked, text } from '../../../config/index.ts';
import type { ChannelType } from '../channel.ts';
import { optional, required, webAddress } from '../keys.ts';
import type { Notice } from '../notice.ts';
import { cut, fittedText, noticeLines } from '../notice-lines.ts';
import { posting } from '../post-json.ts';

/** How bad the news are, as every chat shows them in its own way. */
const shades = {
  down: 'red',
  more: 'red',
  part: 'orange',
  still: 'orange',
  up: 'green',
  over: 'white',
  expiring: 'orange',
  test: 'white',
} as const satisfies Record<Notice['kind'], string>;

type ByShade<T> = Readonly<Record<(typeof shades)[Notice['kind']], T>>;

const circles: ByShade<string> = { red: '🔴', orange: '🟠', green: '🟢', white: '⚪' };
const slackCircles: ByShade<string> = {
  red: ':red_circle:',
  orange: ':large_orange_circle:',
  green: ':large_green_circle:',
  white: ':white_circle:',
};
const discordColours: ByShade<number> = { red: 0xcf222e, orange: 0xbc4c00, green: 0x1a7f37, white: 0x59636e };
/** Colours of Adaptive Cards. */
const cardColours: ByShade<string> = { red: 'Attention', orange: 'Warning', green: 'Good', white: 'Default' };
/** Priorities of ntfy: 1 is the lowest, 3 the default, 5 the highest. */
const priorities: Readonly<Record<Notice['kind'], number>> = {
  down: 5,
  more: 4,
  part: 3,
  still: 4,
  up: 3,
  over: 3,
  expiring: 4,
  test: 2,
};

/** What each chat takes; in characters, unless it says otherwise. */
const most = {
  discord: { title: 256, text: 4_096 },
  // 28 kB, and each line has 60 bytes around it.
  teams: { title: 500, text: 4_000 },
  telegram: { title: 500, text: 4_096 },
  // A longer message becomes an attachment; in bytes.
  ntfy: { title: 250, text: 4_096 },
} as const;

/** An incoming webhook of Slack, Mattermost or Rocket.Chat. */
export const slack: ChannelType = posting(
  { SLACK_WEBHOOK_URL: required(webAddress, 'incoming webhook of Slack or a compatible service') },
  (notice, { SLACK_WEBHOOK_URL = '' }) => {
    // Slack interprets these three characters as markup.
    const escaped = (line: string) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const [headline = '', ...lines] = noticeLines(notice).map(escaped);
    const body = { text: `${slackCircles[shades[notice.kind]]} *${headline}*\n${lines.join('\n')}` };
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
      title: cut(notice.headline, most.discord.title),
      description: codeBlock(fittedText(notice, most.discord.text - codeBlock('').length)),
      url: notice.link,
      color: discordColours[shades[notice.kind]],
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
    const lines = fittedText(notice, most.teams.text).split('\n');
    const headline = { weight: 'Bolder', size: 'Medium', color: cardColours[shades[notice.kind]] };
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      msteams: { width: 'Full' },
      body: [
        textBlock(cut(notice.headline, most.teams.title), headline),
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
    const headline = `${circles[shades[notice.kind]]} ${cut(notice.headline, most.telegram.title)}\n`;
    const body = {
      chat_id: TELEGRAM_CHAT_ID,
      text: headline + fittedText(notice, most.telegram.text - headline.length),
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
      title: cut(notice.headline, most.ntfy.title),
      message: fittedText(notice, most.ntfy.text, Buffer.byteLength),
      priority: priorities[notice.kind],
      // A name of an emoji, which ntfy shows before the title.
      tags: [`${shades[notice.kind]}_circle`],
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
