/** The reason why a survey stopped early; its results are kept, and the same command resumes. */
export type EndReason = 'interrupted' | 'budget' | 'unreachable' | 'throttled';

export class SurveyEnded extends Error {
  override readonly name = 'SurveyEnded';
  readonly reason: EndReason;

  constructor(reason: EndReason, text: string) {
    super(text);
    this.reason = reason;
  }
}

export function interrupted(): SurveyEnded {
  return new SurveyEnded('interrupted', 'stopped');
}

export function budgetSpent(maxRequests: number): SurveyEnded {
  return new SurveyEnded('budget', `--max-requests ${maxRequests} is used up; the next run has as many again`);
}
