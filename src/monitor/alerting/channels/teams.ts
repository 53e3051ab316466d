import type { ChannelType } from '../channel.ts';
import { cut, fittedText } from '../fitted-text.ts';
import { required, webAddress } from '../keys.ts';
import type { Notice } from '../notice.ts';
import { postJson } from '../post-json.ts';

/** Colours of Adaptive Cards. */
const colours: Readonly<Record<Notice['kind'], string>> = {
  down: 'Attention',
  more: 'Attention',
  part: 'Warning',
  still: 'Warning',
  up: 'Good',
  over: 'Default',
  expiring: 'Warning',
  test: 'Default',
};

/** Teams takes messages of 28 kB, and each line has 60 bytes around it. */
const MOST_TEXT = 4_000;
const MOST_TITLE = 500;

/** Microsoft Teams: a workflow that posts an Adaptive Card when its webhook is called. */
export const teams: ChannelType = {
  keys: { TEAMS_WEBHOOK_URL: required(webAddress, 'webhook of a Teams workflow that posts Adaptive Cards') },
  open:
    ({ TEAMS_WEBHOOK_URL = '' }) =>
    async (notice, sending) => {
      const headline = { weight: 'Bolder', size: 'Medium', color: colours[notice.kind] };
      const lines = fittedText(notice, MOST_TEXT).split('\n');
      const card = {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        msteams: { width: 'Full' },
        body: [
          textBlock(cut(notice.headline, MOST_TITLE), headline),
          ...lines.filter((line) => line.trim() !== '').map((line) => textBlock(line.trim(), { spacing: 'Small' })),
        ],
        actions: [{ type: 'Action.OpenUrl', title: 'Open incident', url: notice.link }],
      };
      const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card };
      await postJson(TEAMS_WEBHOOK_URL, JSON.stringify({ type: 'message', attachments: [attachment] }), {}, sending);
    },
};

/** Text as it is: a TextBlock interprets a subset of Markdown. */
function textBlock(text: string, style: Readonly<Record<string, string>>) {
  return { type: 'TextBlock', text: text.replace(/[\\`*_[\]#~]/g, '\\$&'), wrap: true, ...style };
}
