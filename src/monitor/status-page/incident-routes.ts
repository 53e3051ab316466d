import type { Asking, PageResponse, Route } from '../../serving/index.ts';
import type { Access } from './access.ts';
import type { IncidentDesk } from './incident-desk.ts';
import { MOST_FORM_BYTES } from './incident-form.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };

export interface IncidentRouteOptions {
  readonly desk: () => IncidentDesk;
  readonly access: (asked: Asking) => Access;
  /** Whether a token is set: only who has it may write. */
  readonly hasToken: boolean;
  readonly askForToken: (asked: Pick<Asking, 'url'>) => PageResponse;
}

/** `/incidents/<id>`: GET shows the incident, POST records what somebody did about it. */
export function incidentRoutes({ desk, access, hasToken, askForToken }: IncidentRouteOptions): Route[] {
  const path = /^\/incidents\/(?<id>\d{1,15})$/;
  const idOf = ({ params }: Asking) => Number(params.id);
  const shown = (text: readonly string[] | undefined, status = 200) =>
    text === undefined ? undefined : { status, headers: HTML, body: text };
  return [
    {
      method: 'GET',
      path,
      reply: (asked) => {
        const seen = access(asked);
        return seen === 'none' ? askForToken(asked) : shown(desk().page(idOf(asked), seen === 'public'));
      },
    },
    {
      method: 'POST',
      path,
      mostFormBytes: MOST_FORM_BYTES,
      reply: (asked) => {
        if (!hasToken || access(asked) !== 'all') return askForToken(asked);
        const id = idOf(asked);
        const problem = desk().take(id, asked.form);
        if (problem !== undefined) return shown(desk().page(id, false, problem), 400);
        return { status: 303, headers: { location: `/incidents/${id}` }, body: '' };
      },
    },
  ];
}
