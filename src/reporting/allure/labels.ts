import type { Label } from 'allure-js-commons';
import { areaTitle } from '../../spec/index.ts';
import { tagsOf } from '../outcome-of.ts';

const featureByFolder: Readonly<Record<string, string>> = {
  scenarios: 'Scenarios',
  auth: 'Authentication',
  robustness: 'Robustness',
  stateful: 'Sequences',
};

/** Folders whose failures are critical: a user can't do what the service is for, or can do what is forbidden. */
const critical = new Set(['scenarios', 'auth']);

/** The labels by which a report groups, filters and separates environments; `folder` is the one below tests/: scenarios, auth, … */
export function labelsOf(title: string, tags: readonly string[], environment: string, folder: string): Label[] {
  const { area, effect } = tagsOf(title, tags);
  return [
    { name: 'environment', value: environment },
    { name: 'area', value: area },
    ...(effect ? [{ name: 'effect', value: effect }] : []),
    { name: 'epic', value: areaTitle(area) },
    { name: 'feature', value: featureByFolder[folder] ?? folder },
    { name: 'story', value: title },
    { name: 'severity', value: critical.has(folder) ? 'critical' : 'normal' },
  ];
}
