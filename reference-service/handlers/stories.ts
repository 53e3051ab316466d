import { randomUUID } from 'node:crypto';
import type { CallArguments } from '../../src/spec/index.ts';
import { assumed } from '../assumptions/values.ts';
import { created, type Handler, ok, type Visit } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';
import { loveCount } from '../state/index.ts';

type Reference = CallArguments<'love'>;
type Language = (typeof assumed.languages)[number];
type Code = (typeof assumed.reportCodes)[number];

/** Report options by language: the codes are the same, the labels are translated. */
const labelsByLanguage: Readonly<Record<Language, Readonly<Record<Code, string>>>> = {
  en: { SEXUALLY_INAPPROPRIATE: 'Sexually inappropriate', HATE_OR_HARASSMENT: 'Hate or harassment', SPAM: 'Spam' },
  de: { SEXUALLY_INAPPROPRIATE: 'Sexuell unangemessen', HATE_OR_HARASSMENT: 'Hass oder Belästigung', SPAM: 'Spam' },
  fr: {
    SEXUALLY_INAPPROPRIATE: 'Contenu sexuel inapproprié',
    HATE_OR_HARASSMENT: 'Haine ou harcèlement',
    SPAM: 'Indésirable',
  },
};

export const love: Handler<Reference> = (visit) => {
  const storyId = existing(visit);
  visit.state.loves.add({ userId: visit.userId, storyId });
  return ok({ storyId, loved: true, loves: loveCount(visit.state, storyId) });
};

export const unlove: Handler<Reference> = (visit) => {
  const storyId = existing(visit);
  visit.state.loves.remove({ userId: visit.userId, storyId });
  return ok({ storyId, loved: false, loves: loveCount(visit.state, storyId) });
};

export const reportOptions: Handler<CallArguments<'reportOptions'>> = ({ args }) => {
  const language = assumed.languages.find((known) => known === args.language);
  if (!language)
    throw new Refusal(assumed.notFound, 'unknown_language', 'there are no report options in this language');
  return ok(assumed.reportCodes.map((code) => ({ code, label: labelsByLanguage[language][code] })));
};

export const report: Handler<CallArguments<'report'>> = (visit) => {
  const storyId = existing(visit);
  const { reports, message } = visit.args;
  const unknown = reports.filter((code) => !assumed.reportCodes.some((known) => known === code));
  if (unknown.length > 0)
    throw new Refusal(assumed.invalidBody, 'unknown_report_code', 'a report code is not among the report options');
  const reportId = `report-${randomUUID()}`;
  visit.state.reports.add({ reportId, userId: visit.userId, storyId, reports: JSON.stringify(reports), message });
  return created({ reportId, storyId, reports });
};

function existing({ state, args }: Visit<{ readonly storyId: string }>): string {
  if (!state.stories.find({ storyId: args.storyId }))
    throw new Refusal(assumed.notFound, 'unknown_story', 'there is no such story');
  return args.storyId;
}
