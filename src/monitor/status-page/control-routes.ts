import type { Asking, PageResponse, Route } from '../../serving/index.ts';
import type { Access } from './access.ts';
import { type Control, type ControlTools, controls, doControl } from './control.ts';
import { MOST_FORM_BYTES } from './incident-form.ts';

export interface ControlRouteOptions {
  readonly tools: ControlTools;
  readonly access: (asked: Asking) => Access;
  /** Whether a token is set: only who has it may change anything. */
  readonly hasToken: boolean;
  readonly askForToken: (asked: Asking) => PageResponse;
  /** Epoch, in ms. */
  readonly now: () => number;
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** `POST /maintenance/start`, `/maintenance/end`, `/pause`, `/resume`, `/run`: a form in, JSON out, or back to the page of the button. */
export function controlRoutes({ tools, access, hasToken, askForToken, now }: ControlRouteOptions): Route[] {
  return (Object.keys(controls) as Control[]).map((what) => ({
    method: 'POST',
    path: new RegExp(`^/${what}$`),
    mostFormBytes: MOST_FORM_BYTES,
    reply: (asked) => {
      if (!hasToken)
        return {
          status: 403,
          headers: TEXT,
          body: "Set TOKEN in the monitor's settings: nothing can be changed without it.\n",
        };
      if (access(asked) !== 'all') return askForToken(asked);
      const outcome = doControl(what, asked.form, tools, now());
      if ('problem' in outcome) return { status: 400, headers: TEXT, body: `${outcome.problem}\n` };
      const back = asked.form.get('back');
      if (back !== null) return { status: 303, headers: { location: ownPath(back) }, body: '' };
      return { headers: { 'content-type': 'application/json; charset=utf-8' }, body: `${JSON.stringify(outcome)}\n` };
    },
  }));
}

/** A path of this page; anything else would lead to another site. */
export function ownPath(path: string): string {
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : '/';
}
