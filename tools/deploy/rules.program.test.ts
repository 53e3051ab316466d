import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../src/environment/project-root.ts';
import { missing, outputOf } from './programs.ts';
import { prometheusFiles, prometheusFolder, ruleGroups } from './rules.ts';

const alerts = ruleGroups().flatMap(({ rules }) => rules.filter(({ alert }) => alert));
const timelines = prometheusFiles('timelines/*.yml');

test('Prometheus and Alertmanager accept the files, and the lint of rules has no complaint', {
  skip: missing('promtool', 'amtool'),
}, () => {
  for (const [program, ...args] of [
    ['promtool', 'check', 'config', join(prometheusFolder, 'prometheus.yml')],
    ['promtool', 'check', 'rules', '--lint=all', '--lint-fatal', ...prometheusFiles('rules/*.yml')],
    ['amtool', 'check-config', join(prometheusFolder, 'alertmanager.yml')],
  ] as const) {
    const { code, text } = outputOf(program, args);
    assert.equal(code, 0, text);
  }
});

test('every timeline is as it says', { skip: missing('promtool') }, () => {
  const { code, text } = outputOf('promtool', ['test', 'rules', ...timelines]);
  assert.equal(code, 0, text);
  assert.equal(text.match(/SUCCESS/g)?.length, timelines.length);
});

const texts = timelines.filter((file) => basename(file) === 'texts.yml');
const played = timelines.filter((file) => !texts.includes(file)).map((file) => readFileSync(file, 'utf8'));

for (const { alert = '', labels = {}, annotations = {} } of alerts)
  test(`${alert}: a page or a ticket, with a timeline, its text and what to do`, () => {
    assert.match(labels.severity ?? '', /^(page|ticket)$/);
    const inAlerts = new RegExp(`alertname="${alert}"`);
    assert.ok(
      played.some((text) => inAlerts.test(text)),
      'no timeline has it',
    );
    assert.ok(
      texts.some((file) => readFileSync(file, 'utf8').includes(`alertname: ${alert}\n`)),
      'texts.yml has not its text',
    );
    assert.equal(
      annotations.runbook_url,
      `{{ or $externalLabels.runbook_url (printf "%s/alerts" $externalURL) }}#${alert.toLowerCase()}`,
    );
    assert.match(readFileSync(join(projectRoot, 'docs', 'runbook.md'), 'utf8'), new RegExp(`^### ${alert}$`, 'm'));
  });
