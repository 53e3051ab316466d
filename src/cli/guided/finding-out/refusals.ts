import { isDeepStrictEqual } from 'node:util';
import { type Exchange, header } from '../../../client/index.ts';
import { describeBody } from '../../trying/describe-body.ts';
import { successRule } from '../../trying/success-signal.ts';
import type { Found } from './found.ts';

/** How the service refuses: from a read without its credential, beside reads that were accepted. */
export function refusals(accepted: readonly Exchange[], refused: Exchange, without: string): Found {
  const { response, failure } = refused;
  if (!response) return { text: `A read without ${without} had no response (${failure?.reason ?? 'unknown'}).` };
  const { status } = response;
  if (status >= 400 && status < 500)
    return { text: `Refusals have an error status: ${status} without ${without}, ${formOf(refused)}.` };
  if (status >= 300) return { text: `Without ${without} it answers ${status}: how it refuses is not known yet.` };
  const bodies = accepted.map(bodyOf);
  const rule = successRule(bodies, bodyOf(refused));
  if (rule !== undefined)
    return {
      text: `It answers ${status} without ${without}, too: success seems to be signalled in the body, by ${rule}.`,
      sets: { key: 'SUCCESS_WHEN', value: rule },
    };
  const same = bodies.some((body) => isDeepStrictEqual(body, bodyOf(refused)));
  if (same) return { text: `The same read is answered without ${without}, too: it is not checked there.` };
  return {
    text: `It answers ${status} without ${without}, too, with ${describeBody(response)}. If that is a refusal, set SUCCESS_WHEN to what signals success in the body.`,
  };
}

function formOf({ response }: Exchange): string {
  if (!response || response.body.text === '') return 'without a body';
  if (response.body.json.ok) return 'as JSON';
  const type = header(response, 'content-type')?.split(';')[0];
  return type === 'text/html' ? 'as a page' : `as plain text${type ? ` (${type})` : ''}`;
}

function bodyOf({ response }: Exchange): unknown {
  return response?.body.json.ok ? response.body.json.value : undefined;
}
