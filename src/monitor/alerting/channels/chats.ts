import type { Redacted } from '../../../client/index.ts';
import { type Checked, text } from '../../../config/index.ts';
import { cut } from '../../status/texts.ts';
import { type ChannelType, optional, posting, required, webAddress } from '../channel.ts';
import type { Notice } from '../notice.ts';
import { fittedText } from '../notice-lines.ts';

/** How each kind of notice looks, and its priority for ntfy: 1 is the lowest, 3 the default, 5 the highest. */
const looks = {
  down: ['🔴', 5],
  more: ['🔴', 4],
  still: ['🟠', 4],
  up: ['🟢', 3],
  expiring: ['🟠', 4],
  test: ['⚪', 2],
} as const satisfies Record<Notice['kind'], readonly [circle: string, priority: number]>;

/** Short enough for the title of any chat, in characters. */
const LONGEST_TITLE = 250;

function titleOf({ kind, headline }: Redacted<Notice>): string {
  return cut(`${looks[kind][0]} ${headline}`, LONGEST_TITLE);
}

/** An incoming webhook of Slack, Mattermost or Rocket.Chat. */
export const slack: ChannelType = posting(
  { SLACK_WEBHOOK_URL: required(webAddress, 'incoming webhook of Slack or a compatible service') },
  (notice, { SLACK_WEBHOOK_URL = '' }) => {
    // Slack interprets these three characters as markup.
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const body = { text: `*${escaped(titleOf(notice))}*\n${escaped(fittedText(notice))}` };
    return { url: SLACK_WEBHOOK_URL, body };
  },
);

/** A webhook of a Discord channel ("Execute Webhook"). Whatever a service's text contains, no user or role is mentioned. */
export const discord: ChannelType = posting(
  { DISCORD_WEBHOOK_URL: required(webAddress, 'webhook of a Discord channel') },
  (notice, { DISCORD_WEBHOOK_URL = '' }) => {
    // In a code block, Discord interprets no markup; a fence in the text would end it.
    const description = ['```', fittedText(notice).replaceAll('```', "'''"), '```'].join('\n');
    const embed = { title: titleOf(notice), description, url: notice.link };
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
    const lines = fittedText(notice).split('\n');
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      msteams: { width: 'Full' },
      body: [
        textBlock(titleOf(notice), { weight: 'Bolder', size: 'Medium' }),
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
    const body = {
      chat_id: TELEGRAM_CHAT_ID,
      text: `${titleOf(notice)}\n${fittedText(notice)}`,
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
      title: titleOf(notice),
      message: fittedText(notice),
      priority: looks[notice.kind][1],
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
