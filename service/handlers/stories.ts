import type { CallArguments } from '../../catalogue/index.ts';
import { KNOWN_REPORT_CODE } from '../../schemas/index.ts';
import { Refusal } from '../refusal.ts';
import { created, type Handler, ok, type Visit } from '../visit.ts';

type Reference = CallArguments<'love'>;

/** Report options by language: the codes are the same, the labels are translated. */
export const reportOptionsByLanguage: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { [KNOWN_REPORT_CODE]: 'Sexually inappropriate', HATE_OR_HARASSMENT: 'Hate or harassment', SPAM: 'Spam' },
  de: { [KNOWN_REPORT_CODE]: 'Sexuell unangemessen', HATE_OR_HARASSMENT: 'Hass oder Belästigung', SPAM: 'Spam' },
  fr: {
    [KNOWN_REPORT_CODE]: 'Contenu sexuel inapproprié',
    HATE_OR_HARASSMENT: 'Haine ou harcèlement',
    SPAM: 'Indésirable',
  },
};

export const love: Handler<Reference> = (visit) => {
  const storyId = existing(visit);
  visit.state.stories.love(visit.userId, storyId);
  return ok({ storyId, loved: true, loves: visit.state.stories.loveCount(storyId) });
};

export const unlove: Handler<Reference> = (visit) => {
  const storyId = existing(visit);
  visit.state.stories.unlove(visit.userId, storyId);
  return ok({ storyId, loved: false, loves: visit.state.stories.loveCount(storyId) });
};

export const reportOptions: Handler<CallArguments<'reportOptions'>> = ({ args }) => {
  const labels = Object.hasOwn(reportOptionsByLanguage, args.language)
    ? reportOptionsByLanguage[args.language]
    : undefined;
  if (!labels) throw new Refusal(404, 'unknown_language', 'there are no report options in this language');
  return ok(Object.entries(labels).map(([code, label]) => ({ code, label })));
};

export const report: Handler<CallArguments<'report'>> = (visit) => {
  const storyId = existing(visit);
  const { reports, message } = visit.args;
  const unknown = reports.filter((code) => !Object.hasOwn(reportOptionsByLanguage.en ?? {}, code));
  if (unknown.length > 0)
    throw new Refusal(400, 'unknown_report_code', 'a report code is not among the report options');
  const reportId = visit.state.stories.report({ userId: visit.userId, storyId, reports, message });
  return created({ reportId, storyId, reports });
};

function existing({ state, args }: Visit<{ readonly storyId: string }>): string {
  if (!state.stories.exists(args.storyId)) throw new Refusal(404, 'unknown_story', 'there is no such story');
  return args.storyId;
}
