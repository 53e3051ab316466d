import type { ChannelType } from './channel.ts';
import { alertmanager } from './channels/alertmanager.ts';
import { discord } from './channels/discord.ts';
import { email } from './channels/email.ts';
import { ntfy } from './channels/ntfy.ts';
import { pagerduty } from './channels/pagerduty.ts';
import { slack } from './channels/slack.ts';
import { teams } from './channels/teams.ts';
import { telegram } from './channels/telegram.ts';
import { webhook } from './channels/webhook.ts';

/** Every alert channel: a new one is one file and one line here. */
export const channelTypes = {
  webhook,
  slack,
  teams,
  discord,
  telegram,
  ntfy,
  email,
  pagerduty,
  alertmanager,
} as const satisfies Record<string, ChannelType>;
