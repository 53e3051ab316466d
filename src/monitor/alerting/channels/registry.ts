import type { ChannelType } from '../channel.ts';
import { discord, ntfy, slack, teams, telegram } from './chats.ts';
import { email } from './email.ts';
import { alertmanager, pagerduty } from './pagers.ts';
import { webhook } from './webhook.ts';

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
