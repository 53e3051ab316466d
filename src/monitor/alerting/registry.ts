import type { ChannelType } from './channel.ts';
import { alertmanager } from './channels/alertmanager.ts';
import { email } from './channels/email.ts';
import { pagerduty } from './channels/pagerduty.ts';
import { slack } from './channels/slack.ts';
import { webhook } from './channels/webhook.ts';

/** Every alert channel: a new one is one file and one line here. */
export const channelTypes = { webhook, slack, email, pagerduty, alertmanager } as const satisfies Record<
  string,
  ChannelType
>;
