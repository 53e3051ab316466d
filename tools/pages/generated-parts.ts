import { assumptions } from '../../reference-service/assumptions/table.ts';
import { categoryTitles, gradeTable, mistakes, type Verdict, verdicts } from '../../src/client/index.ts';
import { type KeyEntry, keys, secretKeys } from '../../src/config/index.ts';
import { committedMatrix, score } from '../../src/fault-injection/index.ts';
import { channelTypes, settingKeys } from '../../src/monitor/index.ts';
import { operationIds } from '../../src/spec/index.ts';
import { looseForms, secretForms } from '../../src/testing/echo/secret-forms.ts';
import { readers, readersOf, shownTo } from '../../src/testing/monitor/page-readers.ts';
import { endings, signals, ways } from '../../src/testing/programs/endings.ts';
import { layers } from '../layers/allowed.ts';
import { licencesOf } from '../lockfile.ts';
import { table } from './table.ts';

/** The generated parts of pages, each between `<!-- name -->` and `<!-- /name -->`. */
export const parts: readonly { readonly page: string; readonly name: string; readonly make: () => string }[] = [
  { page: 'ARCHITECTURE.md', name: 'layers', make: layersTable },
  { page: 'README.md', name: 'drill', make: drillFigures },
  { page: 'reference-service/README.md', name: 'assumptions', make: assumptionsTable },
  { page: 'docs/check.md', name: 'verdicts', make: verdictsTable },
  { page: 'docs/check.md', name: 'grades', make: gradesTable },
  { page: 'docs/report.md', name: 'categories', make: categoriesList },
  { page: 'docs/mistakes.md', name: 'mistakes', make: mistakesTable },
  { page: 'docs/environments.md', name: 'keys', make: environmentKeysTable },
  { page: 'docs/monitoring.md', name: 'monitor-keys', make: monitorKeysTable },
  { page: 'docs/monitoring.md', name: 'channels', make: channelsTable },
  { page: 'docs/security.md', name: 'secret-forms', make: () => secretFormsTable(secretForms) },
  { page: 'docs/security.md', name: 'loose-forms', make: () => secretFormsTable(looseForms) },
  { page: 'docs/scheduling.md', name: 'signals', make: signalsTable },
  { page: 'docs/monitoring.md', name: 'readers', make: readersTable },
  { page: 'docs/libraries.md', name: 'licences', make: licencesTable },
];

const inCell = (text: string) => text.replaceAll('|', '\\|');

function layersTable(): string {
  const rows = Object.entries(layers).map(([name, { holds, mayImport }]) => {
    const allowed =
      mayImport === 'everything' ? 'everything' : mayImport.map((each) => each.replace(/\/$/, '')).join(', ');
    return [`\`${name}\``, holds, allowed || '–'];
  });
  return table(['folder', 'holds', 'may import'], rows);
}

function signalsTable(): string {
  const rows = ways.map(({ name, ends }) => [name, ...signals.map((signal) => endings[ends[signal]])]);
  return table(['started', ...signals], rows);
}

function licencesTable(): string {
  const rows = [...licencesOf()].map(([licence, names]) => [licence, names.length, names.join(', ')]);
  return table(['licence', 'packages', ''], rows);
}

function readersTable(): string {
  const rows = Object.entries(shownTo).map(([request, shown]) => [`\`${request}\``, ...readersOf(shown)]);
  return table(['', ...Object.keys(readers)], rows);
}

/** Each form that redaction recognises, with a token written in it; control characters are shown as JSON shows them. */
function secretFormsTable(forms: typeof secretForms): string {
  const shown = (text: string) => inCell(JSON.stringify(text).slice(1, -1).replace(/\\\\/g, '\\').replace(/\\"/g, '"'));
  return table(
    ['form', '`Tok+1/"b"`'],
    forms.map(({ name, encode }) => [name, `\`${shown(encode('Tok+1/"b"'))}\``]),
  );
}

/** The sentence on what the suite catches, from the results of the last complete drill. */
function drillFigures(): string {
  const { faults, variants = [] } = committedMatrix();
  const documented = score(faults.filter(({ grade }) => grade === 'documented'));
  const share =
    documented.caught === documented.of ? `all ${documented.of}` : `${documented.caught} of the ${documented.of}`;
  const alarms = variants.filter((row) => row.alarms.length > 0).length;
  return `The drill breaks the reference service in ${faults.length} ways. The suite catches ${share} faults that violate the specification and ${Math.floor(score(faults).percent)} % of all\nfaults, with ${alarms === 0 ? 'no false alarm on' : `false alarms on ${alarms} of`} ${variants.length} valid variants of the service.`;
}

function assumptionsTable(): string {
  const names = (operations: readonly string[]) =>
    operations.length === operationIds.length ? 'all' : operations.join(', ');
  const rows = assumptions.map(({ operations, question, answer, why }) => [
    names(operations),
    `\`${question}\``,
    answer,
    why,
  ]);
  return table(['operation', 'question', 'assumption', 'reason'], rows);
}

function verdictsTable(): string {
  const rows = (Object.keys(verdicts) as Verdict[]).map((name) => {
    const { exitCode, health, meaning } = verdicts[name];
    return [`\`${name}\``, exitCode, health, meaning];
  });
  return table(['verdict', 'exit code', 'service', 'means'], rows);
}

function gradesTable(): string {
  const rows = Object.entries(gradeTable).map(([grade, { source, broken }]) => [
    `\`${grade}\``,
    source,
    `\`${broken}\``,
  ]);
  return table(['grade', 'the expectation comes from', 'broken'], rows);
}

function categoriesList(): string {
  return categoryTitles()
    .map(({ title }) => `- ${title}`)
    .join('\n');
}

/** Every mistake with what finds it and what is then said. */
function mistakesTable(): string {
  const rows = Object.values(mistakes).map(({ example, isCompiled, run, problem, cure }) => [
    example,
    isCompiled ? 'yes' : '–',
    run,
    `${problem}; ${cure}`.replaceAll('`', "'").replace(/\{(\w+)\}/g, '_$1_'),
  ]);
  return table(
    ['mistake', 'the compiler finds it', 'in a run', 'message, after `tests/scenarios/x.spec.ts:12: `'],
    rows.map((cells) => cells.map(inCell)),
  );
}

function environmentKeysTable(): string {
  const rows = Object.entries<KeyEntry>(keys).map(([key, { meaning, required, fallback }]) => {
    const byDefault = fallback === undefined ? '–' : fallback === '' ? 'none' : `\`${fallback}\``;
    return [`\`${key}\``, inCell(meaning), required ? 'required' : byDefault];
  });
  const secrets = Object.entries(secretKeys).map(([key, meaning]) => [`\`${key}\``, meaning, 'secret']);
  return table(['key', 'meaning', 'when absent'], [...rows, ...secrets]);
}

function settingCells([key, { meaning, fallback, required }]: [key: string, setting: KeyEntry]): string[] {
  const absent = required ? 'the channel is off' : fallback === undefined ? '–' : `\`${fallback}\``;
  return [`\`${key}\``, inCell(meaning), absent];
}

function monitorKeysTable(): string {
  return table(['key', 'meaning', 'when absent'], Object.entries<KeyEntry>(settingKeys).map(settingCells));
}

function channelsTable(): string {
  const rows = Object.entries(channelTypes).flatMap(([name, channel]) =>
    Object.entries<KeyEntry>(channel.keys).map((setting) => [name, ...settingCells(setting)]),
  );
  return table(['channel', 'key', 'meaning', 'when absent'], rows);
}
