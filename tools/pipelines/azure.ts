import { parse } from 'yaml';

type Fields = Readonly<Record<string, unknown>>;

const known = {
  pipeline: ['trigger', 'pr', 'schedules', 'parameters', 'variables', 'pool', 'stages', 'name', 'resources'],
  schedule: ['cron', 'displayName', 'branches', 'always', 'batch'],
  stage: ['stage', 'displayName', 'dependsOn', 'condition', 'jobs', 'variables', 'pool'],
  job: ['job', 'displayName', 'dependsOn', 'condition', 'strategy', 'steps', 'pool', 'variables', 'timeoutInMinutes'],
  step: ['displayName', 'condition', 'continueOnError', 'env', 'name', 'inputs', 'artifact', 'patterns', 'enabled'],
} as const;

/** The key that says what a step does. */
const kinds = ['bash', 'script', 'task', 'publish', 'download', 'checkout'];

/** The problems of an Azure pipeline's structure, a line each. npm has no package with its schema. */
export function azureProblems(text: string): string[] {
  const pipeline = parse(text) as Fields;
  return [
    ...unknownKeys('pipeline', pipeline),
    ...listIn(pipeline.schedules).flatMap((each) => unknownKeys('schedule', each)),
    ...listIn(pipeline.stages).flatMap((stage) => [
      ...unknownKeys('stage', stage),
      ...listIn(stage.jobs).flatMap((job) => [
        ...unknownKeys('job', job),
        ...(job.job ? [] : ['a job has no name']),
        ...listIn(job.steps).flatMap(stepProblems),
      ]),
    ]),
  ];
}

function stepProblems(step: Fields): string[] {
  const is = kinds.filter((kind) => step[kind] !== undefined);
  if (is.length !== 1) return [`a step is ${is.join(' and ') || 'nothing'}: ${JSON.stringify(step).slice(0, 100)}`];
  const isTask = is[0] === 'task';
  return [
    ...unknownKeys('step', step, kinds),
    ...(isTask && !/^\w+@\d+$/.test(String(step.task)) ? [`task ${step.task} has no version`] : []),
  ];
}

/** A list, with those that a template's condition adds to it. */
function listIn(value: unknown): Fields[] {
  const list = Array.isArray(value) ? (value as Fields[]) : [];
  return list.flatMap((each) => {
    const [key = '', ...others] = Object.keys(each);
    return others.length === 0 && isCondition(key) ? listIn(each[key]) : [each];
  });
}

function unknownKeys(what: keyof typeof known, fields: Fields, more: readonly string[] = []): string[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (isCondition(key)) return unknownKeys(what, value as Fields, more);
    return [...known[what], ...more].includes(key) ? [] : [`a ${what} has no ${key}`];
  });
}

function isCondition(key: string): boolean {
  return /^\$\{\{ (if .+|else) \}\}$/.test(key);
}
