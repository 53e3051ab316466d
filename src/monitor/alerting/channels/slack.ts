import type { ChannelType } from '../channel.ts';
import { required, webAddress } from '../keys.ts';
import type { Notice } from '../notice.ts';
import { noticeLines } from '../notice-lines.ts';
import { postJson } from '../post-json.ts';

const icons: Readonly<Record<Notice['kind'], string>> = {
  down: ':red_circle:',
  more: ':red_circle:',
  part: ':large_orange_circle:',
  still: ':large_orange_circle:',
  up: ':large_green_circle:',
  over: ':white_circle:',
  expiring: ':large_orange_circle:',
  test: ':white_circle:',
};

/** An incoming webhook of Slack, Mattermost or Rocket.Chat. */
export const slack: ChannelType = {
  keys: { SLACK_WEBHOOK_URL: required(webAddress, 'incoming webhook of Slack or a compatible service') },
  open:
    ({ SLACK_WEBHOOK_URL = '' }) =>
    async (notice, sending) => {
      const [headline = '', ...lines] = noticeLines(notice).map(escapeMarkup);
      await postJson(
        SLACK_WEBHOOK_URL,
        JSON.stringify({ text: `${icons[notice.kind]} *${headline}*\n${lines.join('\n')}` }),
        {},
        sending,
      );
    },
};

/** Slack interprets these three characters as markup. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
