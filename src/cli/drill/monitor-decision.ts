import type { MonitorDecision } from '../../fault-injection/index.ts';
import { evidenceOf } from '../../monitor/status/run-health.ts';
import { isBadStatus, judgeRun, statusOf, unseen } from '../../monitor/status/status.ts';

/** The monitor's own rule, as it is shipped: a failure that is confirmed by a second look is told at once. */
const rule = { downAfter: 1, upAfter: 1, notJudgedAfterMs: Number.POSITIVE_INFINITY };

/** From a healthy run, two looks at the broken service, and one after its repair. */
export const monitorDecision: MonitorDecision = ([healthy, first, second, repaired]) => {
  if (!healthy || !first || !repaired) return { called: false, recovered: false };
  const before = judgeRun(unseen, evidenceOf(healthy), 0, rule).standing;
  const broken = judgeRun(before, evidenceOf(first, second), 1, rule).standing;
  const after = judgeRun(broken, evidenceOf(repaired), 2, rule).standing;
  return { called: isBadStatus(statusOf(broken)), recovered: statusOf(after) === 'up' };
};
