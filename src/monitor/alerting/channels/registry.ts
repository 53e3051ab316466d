import { createHmac } from 'node:crypto';
import { type Checked, key as optional, required, text } from '../../../environment/index.ts';
import type { Redacted } from '../../../redaction/index.ts';
import { familyOf } from '../../../run/index.ts';
import { cut } from '../../status/texts.ts';
import { type ChannelType, credential, credentialAddress, longSecret, posting, webAddress } from '../channel.ts';
import type { Notice } from '../notice.ts';
import { fittedText } from '../notice-lines.ts';
import { email } from './email.ts';

/**
 * For each kind of notice: its sign in a chat, its priority for ntfy (1 is the lowest, 5 the highest), and its name and severity for
 * pagers.
 */
const looks = {
  down: ['🔴', 5, 'SextantDown', 'critical'],
  more: ['🔴', 4, 'SextantDown', 'critical'],
  still: ['🟠', 4, 'SextantDown', 'critical'],
  up: ['🟢', 3, 'SextantDown', 'critical'],
  expiring: ['🟠', 4, 'SextantCredentialExpiring', 'warning'],
  test: ['⚪', 2, 'SextantTest', 'info'],
} as const satisfies Record<
  Notice['kind'],
  readonly [circle: string, priority: number, alert: string, severity: string]
>;

/**
 * The look of a notice. A notice about degraded scenarios is only a warning, so that it wakes nobody. Pagers identify an alert by name and
 * severity, so the notice that ends an alert must have the same name and severity.
 */
function lookOf({ kind, cause }: Redacted<Notice>) {
  const [circle, priority, alert, severity] = looks[kind];
  if (familyOf(cause) !== 'degraded') return { circle, priority, alert, severity };
  return { circle: kind === 'up' ? circle : '🟠', priority: 3, alert: 'SextantDegraded', severity: 'warning' };
}

/** Longest title, in characters: short enough for any chat. */
const LONGEST_TITLE = 250;

function titleOf(notice: Redacted<Notice>): string {
  return cut(`${lookOf(notice).circle} ${notice.headline}`, LONGEST_TITLE);
}

/** How long Alertmanager keeps an alert open if no recovery arrives, in ms. It must be longer than the time between two reminders. */
const KEPT_MS = 30 * 86_400_000;

/** Every alert channel. A channel is active if its required keys are set. A new channel needs only an entry here. */
export const channelTypes = {
  /** The notice as JSON, signed as Standard Webhooks specifies. */
  webhook: posting(
    {
      WEBHOOK_URL: credentialAddress(required(webAddress, 'address that receives each notice as a JSON POST')),
      WEBHOOK_SECRET: credential(
        optional(longSecret, 'key that signs the notices (Standard Webhooks), at least 16 characters'),
      ),
    },
    (notice, { WEBHOOK_SECRET }, { key, now }) => {
      const headers = WEBHOOK_SECRET ? signatures(JSON.stringify(notice), WEBHOOK_SECRET, key, now) : {};
      return { body: notice, headers };
    },
  ),

  /** An incoming webhook of Slack, Mattermost or Rocket.Chat. */
  slack: posting(
    { SLACK_WEBHOOK_URL: credentialAddress(required(webAddress, 'incoming webhook of Slack or a compatible service')) },
    (notice) => {
      // Slack interprets these three characters as markup.
      const escaped = (line: string) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      return { body: { text: `*${escaped(titleOf(notice))}*\n${escaped(fittedText(notice))}` } };
    },
  ),

  /** Microsoft Teams: a workflow that posts an Adaptive Card when its webhook is called. */
  teams: posting(
    {
      TEAMS_WEBHOOK_URL: credentialAddress(
        required(webAddress, 'webhook of a Teams workflow that posts Adaptive Cards'),
      ),
    },
    (notice) => {
      // A TextBlock interprets a subset of Markdown.
      const plain = (line: string) => line.trim().replace(/[\\`*_[\]#~]/g, '\\$&');
      const textBlock = (line: string, style: object) => {
        return { type: 'TextBlock', text: plain(line), wrap: true, ...style };
      };
      const lines = fittedText(notice).split('\n');
      const content = {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        msteams: { width: 'Full' },
        body: [
          textBlock(titleOf(notice), { weight: 'Bolder', size: 'Medium' }),
          ...lines.filter((line) => line.trim() !== '').map((line) => textBlock(line, { spacing: 'Small' })),
        ],
        actions: [{ type: 'Action.OpenUrl', title: 'Open incident', url: notice.link }],
      };
      const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
      return { body: { type: 'message', attachments: [attachment] } };
    },
  ),

  /**
   * A webhook of a Discord channel ("Execute Webhook"). Even if the service's text contains the names of users or roles, the message
   * mentions nobody.
   */
  discord: posting(
    { DISCORD_WEBHOOK_URL: credentialAddress(required(webAddress, 'webhook of a Discord channel')) },
    (notice) => {
      // Discord interprets no markup in a code block, but three backticks in the text would end the block.
      const description = ['```', fittedText(notice).replaceAll('```', "'''"), '```'].join('\n');
      const embed = { title: titleOf(notice), description, url: notice.link };
      return { body: { username: 'Sextant', allowed_mentions: { parse: [] }, embeds: [embed] } };
    },
  ),

  /** A chat on Telegram, through a bot (Bot API, `sendMessage`); plain text, so that nothing is markup. */
  telegram: posting(
    {
      TELEGRAM_BOT_TOKEN: credential(required(text, 'token of the bot, from @BotFather')),
      TELEGRAM_CHAT_ID: required(text, 'id of the chat, or @name of the channel'),
      TELEGRAM_URL: credentialAddress(optional(webAddress, 'address of the Bot API', 'https://api.telegram.org/')),
    },
    (notice, { TELEGRAM_BOT_TOKEN = '', TELEGRAM_CHAT_ID = '', TELEGRAM_URL = '' }) => ({
      url: below(TELEGRAM_URL, `bot${TELEGRAM_BOT_TOKEN}/sendMessage`),
      body: {
        chat_id: TELEGRAM_CHAT_ID,
        text: `${titleOf(notice)}\n${fittedText(notice)}`,
        link_preview_options: { is_disabled: true },
      },
    }),
  ),

  /** A topic of ntfy, on ntfy.sh or a server of your own ("Publish as JSON"). */
  ntfy: posting(
    {
      NTFY_URL: credentialAddress(required(topicAddress, 'address of the topic, e.g. https://ntfy.sh/your-topic')),
      NTFY_TOKEN: credential(optional(text, 'access token, where the topic needs one')),
    },
    (notice, { NTFY_URL = '', NTFY_TOKEN }) => {
      // ntfy accepts JSON only at the server's address, so the topic is in the body.
      const [, server = '', topic = ''] = TOPIC.exec(NTFY_URL) ?? [];
      const of = { topic, title: titleOf(notice), message: fittedText(notice) };
      return {
        url: server,
        body: { ...of, priority: lookOf(notice).priority, click: notice.link },
        headers: NTFY_TOKEN ? { authorization: `Bearer ${NTFY_TOKEN}` } : {},
      };
    },
  ),

  email,

  /** PagerDuty Events API v2: one alert for each incident. The alert is resolved when the incident ends. */
  pagerduty: posting(
    {
      PAGERDUTY_ROUTING_KEY: credential(required(text, 'integration key of the PagerDuty service (Events API v2)')),
      PAGERDUTY_URL: credentialAddress(
        optional(webAddress, 'address of the Events API', 'https://events.pagerduty.com/v2/enqueue'),
      ),
    },
    (notice, { PAGERDUTY_ROUTING_KEY = '', PAGERDUTY_URL = '' }) => {
      const { kind, link, runbook = link } = notice;
      const event = {
        routing_key: PAGERDUTY_ROUTING_KEY,
        event_action: kind === 'up' ? 'resolve' : 'trigger',
        dedup_key: notice.incident,
        client: 'Sextant',
        client_url: link,
        links: Object.entries({ Incident: link, Runbook: runbook }).map(([name, href]) => ({ href, text: name })),
        payload: {
          // 1,024 characters is the API's limit.
          summary: notice.headline.slice(0, 1_024),
          source: notice.cause.address,
          severity: lookOf(notice).severity,
          timestamp: notice.since,
          component: notice.environment,
          custom_details: { scenarios: notice.scenarios, kind },
        },
      };
      // A test notice is followed by an event that resolves its alert. Otherwise the alert would stay open.
      const events = kind === 'test' ? [event, { ...event, event_action: 'resolve' }] : [event];
      return events.map((body) => ({ url: PAGERDUTY_URL, body }));
    },
  ),

  /** Prometheus Alertmanager, API v2: one alert per incident. */
  alertmanager: posting(
    {
      ALERTMANAGER_URL: credentialAddress(
        required(webAddress, 'base address of Alertmanager, e.g. http://alertmanager:9093'),
      ),
    },
    (notice, { ALERTMANAGER_URL = '' }) => {
      const { kind, environment, cause, incident, headline, scenarios, at, since, until, runbook, link } = notice;
      const [first] = scenarios;
      const { alert: alertname, severity } = lookOf(notice);
      const alert = {
        // Alertmanager identifies an alert by its labels, so they must be the same in the first and the last notice about the alert.
        labels: { alertname, severity, environment, address: cause.address, incident },
        annotations: {
          summary: headline,
          scenarios: scenarios.map(({ title }) => title).join(', '),
          reason: first?.reason ?? '',
          curl: first?.curl ?? '',
          runbook_url: runbook ?? link,
          verdict: [first?.verdict, first?.grade].filter(Boolean).join(', '),
        },
        startsAt: since,
        endsAt: until ?? new Date(Date.parse(at) + (kind === 'test' ? 60_000 : KEPT_MS)).toISOString(),
        generatorURL: link,
      };
      return { url: below(ALERTMANAGER_URL, 'api/v2/alerts'), body: [alert] };
    },
    { forgets: true },
  ),
} as const satisfies Record<string, ChannelType>;

/** The channels whose receiver forgets alerts when it restarts. */
export const forgetful = Object.entries<ChannelType>(channelTypes).flatMap(([name, { forgets }]) =>
  forgets ? name : [],
);

function below(base: string, path: string): string {
  // A token may contain a colon. Without `./`, the URL parser would take the part before the colon for a scheme.
  return new URL(`./${path}`, base.replace(/\/?$/, '/')).href;
}

/** Splits an address into the server and the topic, which is the last part of the path. */
const TOPIC = /^(.+\/)([^/?#]+)\/*$/;

function topicAddress(value: string): Checked<string> {
  const checked = webAddress(value);
  if ('problem' in checked || new URL(value).pathname.replaceAll('/', '')) return checked;
  return { problem: 'has no topic in its path' };
}

const PREFIX = 'whsec_';

/**
 * The headers of Standard Webhooks 1.0: the id of the message, the time, and the signature of id, time and body. The id is the same in
 * every attempt. If `secret` begins with `whsec_`, the rest is the key in base64; otherwise its bytes are the key. `now` is an epoch, in
 * ms.
 */
function signatures(body: string, secret: string, id: string, now: number): Readonly<Record<string, string>> {
  const seconds = Math.floor(now / 1000);
  const key = secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
  const signed = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signed}` };
}
