import { type Checked, text } from '../../../config/index.ts';
import type { ChannelType } from '../channel.ts';
import { cut, fittedText } from '../fitted-text.ts';
import { optional, required, webAddress } from '../keys.ts';
import type { Notice } from '../notice.ts';
import { postJson } from '../post-json.ts';

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

/** Names of emoji, which ntfy shows before the title. */
const tags: Readonly<Record<Notice['kind'], string>> = {
  down: 'red_circle',
  more: 'red_circle',
  part: 'orange_circle',
  still: 'orange_circle',
  up: 'green_circle',
  over: 'white_circle',
  expiring: 'orange_circle',
  test: 'white_circle',
};

/** A longer message becomes an attachment; in bytes. */
const MOST_BYTES = 4_096;
const MOST_TITLE = 250;

/** A topic of ntfy, on ntfy.sh or a server of your own ("Publish as JSON"). */
export const ntfy: ChannelType = {
  keys: {
    NTFY_URL: required(topicAddress, 'address of the topic, e.g. https://ntfy.sh/your-topic'),
    NTFY_TOKEN: optional(text, 'access token, where the topic needs one'),
  },
  open:
    ({ NTFY_URL = '', NTFY_TOKEN }) =>
    async (notice, sending) => {
      const { server, topic } = topicOf(new URL(NTFY_URL));
      const message = {
        topic,
        title: cut(notice.headline, MOST_TITLE),
        message: fittedText(notice, MOST_BYTES, Buffer.byteLength),
        priority: priorities[notice.kind],
        tags: [tags[notice.kind]],
        click: notice.link,
      };
      const headers = NTFY_TOKEN ? { authorization: `Bearer ${NTFY_TOKEN}` } : undefined;
      await postJson(server, JSON.stringify(message), headers ?? {}, sending);
    },
};

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
