import { join } from 'node:path';
import { fileRoles, replaceText } from '../environment/files/index.ts';
import { type Environment, environmentFiles, observedFolder, writeFacts } from '../environment/index.ts';
import { Facts } from '../facts/index.ts';
import { redact } from '../redaction/index.ts';
import { outputFolder } from '../scenario/index.ts';
import type { ObservedOperation } from '../verdict/index.ts';
import type { SurveyRun } from './run-survey.ts';
import {
  answersChanged,
  bestAnswers,
  type FactChanges,
  factChanges,
  newAnswers,
  type SurveyChange,
} from './survey-changes.ts';
import { surveyPage } from './survey-page.ts';

interface KeepOptions {
  /** Whether to also replace facts and responses that have changed. */
  readonly update: boolean;
  /** Patterns of the questions that were asked. Absent if all were asked. */
  readonly only?: string;
  /** A folder to write to, instead of the folder of the environment. The survey reads nothing from this folder. */
  readonly out?: string;
}

export interface KeptSurvey extends FactChanges {
  readonly answersChanged: readonly SurveyChange[];
  /** Whether changed facts and responses were replaced. */
  readonly isUpdated: boolean;
  /** The files that were written. */
  readonly written: readonly string[];
  readonly page: string;
}

/**
 * Writes new facts and observed responses, and with `update` also replaces changed ones. A survey that ended early replaces nothing,
 * because the service may have been about to fail.
 */
export function keepSurvey(environment: Environment, run: SurveyRun, { update, only, out }: KeepOptions): KeptSurvey {
  const { name } = environment;
  const knownFacts = environment.facts ?? new Facts();
  const isUpdated = update && run.ended === undefined;
  const before = [...(environment.observed?.values() ?? [])];
  // A survey of some questions keeps only the responses of their operations, although the scenarios before it called all operations.
  const asked = new Set(run.findings.map(({ operation }) => operation));
  const learned = only === undefined ? run.observed : run.observed.filter(({ operation }) => asked.has(operation));
  const best = bestAnswers(before, learned);
  const responsesChanged = answersChanged(before, best).filter(({ mayBeChance }) => !mayBeChance);
  const answers = isUpdated ? changedOnly(before, best) : run.ended ? [] : newAnswers(before, learned);
  const { missing, changed: allChanged } = factChanges(knownFacts, run.findings);
  // An `answer-shape` fact only repeats the schemas as text. So a changed fact of this kind is ignored, unless the schemas have changed,
  // too.
  const described = new Set((isUpdated ? answers : responsesChanged).map(({ operation }) => operation));
  const changed = allChanged.filter(
    ({ after: { question, operation } }) => question !== 'answer-shape' || described.has(operation),
  );
  const added = [...missing, ...(isUpdated ? changed.map(({ after }) => after) : [])];
  const facts = knownFacts.with(added);
  const written: string[] = [];
  const factsFile = out === undefined ? environmentFiles(name).surveyedFacts : join(out, `${name}.facts.json`);
  if (added.length > 0 || (out !== undefined && facts.size > 0)) {
    writeFacts(factsFile, facts);
    written.push(factsFile);
  }
  const folder = out === undefined ? observedFolder(name) : join(out, 'observed', name);
  for (const entry of answers) {
    const path = join(folder, `${entry.operation}.json`);
    replaceText(path, redact(`${JSON.stringify(entry, null, 2)}\n`), fileRoles.observed);
    written.push(path);
  }
  const page = join(outputFolder(), 'survey', `${name}.md`);
  replaceText(page, redact(surveyPage({ environment: name, facts, ...run })), fileRoles.output);
  return { missing, changed, answersChanged: responsesChanged, isUpdated, written, page };
}

function changedOnly(before: readonly ObservedOperation[], best: readonly ObservedOperation[]): ObservedOperation[] {
  const changed = new Set(answersChanged(before, best).map(({ operation }) => operation));
  const fresh = newAnswers(before, best);
  return best.filter((entry) => changed.has(entry.operation) || fresh.includes(entry));
}
