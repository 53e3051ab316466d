import type { ErrorBudget } from '../history/error-budget.ts';
import { type Burn, burnRate } from '../status/burn-rate.ts';
import { count, percent, share } from './format.ts';
import { html, type Markup } from './html.ts';

const words: Readonly<Record<Burn, string>> = {
  fast: 'burning fast: at this rate it is gone within days',
  slow: 'burning too fast to last 30 days',
  none: 'not burning too fast',
};

export function errorBudgetText({ slo, month, burn }: ErrorBudget): Markup {
  const used = burnRate(month, slo);
  return html`<p class="budget">30-day error budget at an objective of ${percent(slo)}: ${used > 1 ? `overspent ${used.toFixed(1)} times` : `${share(used)} used`} (${count(month.bad)} bad of ${count(month.judged)} first attempts); ${words[burn]}.</p>`;
}
