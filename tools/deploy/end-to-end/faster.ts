const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * The text of a file of Prometheus or Alertmanager with every duration divided: of keys that end in `interval`, `timeout`, `wait` or
 * `for`, and in the brackets of a query. Nothing else is changed.
 */
export function faster(text: string, factor: number): string {
  const divided = (_: string, before: string, digits: string, unit: string) =>
    `${before}${Math.round((Number(digits) * unitsMs[unit as keyof typeof unitsMs]) / factor)}ms`;
  return text
    .replace(/^(\s*(?:- )?(?:\w+_)?(?:interval|timeout|wait|for): )(\d+)(ms|s|m|h|d)$/gm, divided)
    .replace(/(\[|offset )(\d+)(ms|s|m|h|d)\b/g, divided);
}
