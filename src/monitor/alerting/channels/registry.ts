import type { ChannelType } from '../channel.ts';
import { alertmanager } from './alertmanager.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { ntfy } from './ntfy.ts';
import { pagerduty } from './pagerduty.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
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
