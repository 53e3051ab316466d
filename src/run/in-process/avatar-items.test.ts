import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../../reference-service/index.ts';
import { Refusal } from '../../../reference-service/refusal.ts';
import type { Environment } from '../../environment/index.ts';
import { play, resultText } from '../../testing/play.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { answerTo, findingOf, surveyOf } from '../../testing/survey/surveyed.ts';
import { embeddedEnvironment, type FactLine, factsOf } from '../../testing/test-environment.ts';

const service = await ownService();
const catalogue = ['hat-1', 'boots-7'];

interface Avatar {
  readonly items: readonly { readonly itemId: string; readonly designId?: string }[];
}

/** Makes the service refuse avatars with items outside of its catalogue, and add `shown` to every profile that it returns. */
function withCatalogue(shown: object): void {
  const save: Fault['validate'] = (honest) => (entry, body) => {
    const { items } = honest(entry, body) as Avatar;
    const isKnown = items.every(({ itemId, designId = 'red' }) => catalogue.includes(itemId) && designId === 'red');
    if (!isKnown) throw new Refusal(422, 'no_such_item', 'no such item');
    return body;
  };
  service.faults.set(
    { name: 'catalogue', operation: 'saveAvatar', validate: save },
    {
      name: 'worn',
      operation: 'readProfile',
      handle: (honest) => (visit) => ({ ...honest(visit), body: { ...(honest(visit).body as object), ...shown } }),
    },
  );
}

const records = { avatar: { items: [{ itemId: 'hat-1', designId: 'red' }, { itemId: 'boots-7' }] } };
const others = { wornItems: [{ id: 'hat-1' }, { id: 'boots-7' }], look: { designId: 'red' } };
const texts = { items: ['hat-1', 'boots-7'], design_id: 'red' };
const nothing = { avatar: { items: [] } };

const named = (environment: Environment) => ({
  data: { ...environment.data, avatarItemIds: ['hat-1'], avatarDesignId: 'red' },
});
const unreadable = () => ({ readProfile: undefined }) as unknown as Partial<Environment>;

const rows: readonly (readonly [
  what: string,
  shown: object,
  ends: RegExp,
  fact?: FactLine | undefined,
  changes?: (environment: Environment) => Partial<Environment>,
])[] = [
  ['that a profile shows as records', records, /^passed$/],
  ['that a profile shows as other records', others, /^passed$/],
  ['that a profile shows as texts', texts, /^passed$/],
  ['that a profile shows, as a fact says', records, /^passed$/, 'saveAvatar avatar-form: marked-shown'],
  ['that the environment names', nothing, /^passed$/, undefined, named],
  [
    'that no profile shows',
    nothing,
    /^skipped · unproven: add or update avatar is refused .* real items or a design, set AVATAR_ITEM_IDS/,
  ],
  ['where no profile can be read', records, /^skipped · unproven: .* AVATAR_ITEM_IDS/, undefined, unreadable],
  [
    'that are invented, as a fact says',
    records,
    /^failed · documented · saveAvatar · .* — 422/,
    'saveAvatar avatar-form: marked',
  ],
];

for (const [what, shown, ends, fact, changes = () => ({})] of rows)
  test(`an avatar wears items ${what}`, async () => {
    withCatalogue(shown);
    const { facts: _, observed: __, ...embedded } = embeddedEnvironment(service);
    const environment: Environment = { ...embedded, ...(fact ? { facts: factsOf(fact) } : {}), ...changes(embedded) };
    assert.match(resultText(await play('avatar add, then update', environment)), ends);
  });

test('an update that is refused after an avatar of the same form was added is a failure, also where nothing is known of forms', async () => {
  const { facts: _, observed: __, ...environment } = embeddedEnvironment(service);
  let saves = 0;
  const save: Fault['validate'] = (honest) => (entry, body) => {
    if (++saves > 1) throw new Refusal(422, 'no_update', 'no update');
    return honest(entry, body);
  };
  service.faults.set({ name: 'no-update', operation: 'saveAvatar', validate: save });
  assert.match(
    resultText(await play('avatar add, then update', environment)),
    /^failed · documented · saveAvatar · .*an avatar is updated if there is one — 422/,
  );
});

test('a survey finds out that an avatar wears what a profile shows, and reads no profile where invented items will do', async () => {
  const surveyed = async () => {
    const { facts: _, ...environment } = embeddedEnvironment(service);
    const only = (question: string) => question === 'avatar-form';
    return surveyOf(environment, { only });
  };
  withCatalogue(records);
  assert.equal(answerTo(await surveyed(), 'saveAvatar', 'avatar-form'), 'marked-shown');
  let reads = 0;
  service.faults.set({ name: 'read', operation: 'readProfile', arrive: () => () => void reads++ });
  assert.equal(answerTo(await surveyed(), 'saveAvatar', 'avatar-form'), 'marked');
  assert.equal(reads, 0);
});

test('a survey writes no fact about avatars that are all refused, whatever the refusal quotes', async () => {
  const { facts: _, ...environment } = embeddedEnvironment(service);
  let saves = 0;
  // The service checks no field except the items: it refuses every item that the suite makes up.
  const save: Fault['validate'] = () => (_entry, body) => {
    const { items } = (body ?? {}) as Partial<Avatar>;
    const [unknown] = Array.isArray(items) ? items.filter(({ itemId }) => !catalogue.includes(itemId)) : [];
    saves++;
    if (unknown) throw new Refusal(422, 'no_such_item', `no such item: ${unknown.itemId}`);
    return body;
  };
  service.faults.set({ name: 'catalogue', operation: 'saveAvatar', validate: save });
  const about = (question: string) =>
    /^(required-field|wrong-type|unknown-field|allowed-values|success-status|answer-shape|repeat)/.test(question);
  const only = (question: string, id: string) => id === 'saveAvatar' && about(question);
  const { findings } = await surveyOf(environment, { only });
  assert.ok(saves > 0);
  assert.deepEqual(
    findings.filter(({ answer }) => answer !== undefined).map(({ question, answer }) => `${question}: ${answer}`),
    [],
  );
  assert.ok(findings.length > 7 && findings.every(({ needs }) => needs === 'AVATAR_ITEM_IDS'));

  // With an item from the catalogue, the survey can answer the questions that it had to leave open without one.
  const data = { ...environment.data, avatarItemIds: ['hat-1'] };
  const decided = await surveyOf({ ...environment, data }, { only });
  const { answer, evidence } = findingOf(decided, 'saveAvatar', 'required-field:name') ?? {};
  assert.equal(answer, 'optional');
  assert.match(evidence ?? '', /without the field \(the valid one is accepted\): 20/);
});

test('a profile that can’t be read is no profile without the avatar, whatever the response quotes', async () => {
  const body = '{"error":"a profile shows the avatar"}';
  service.faults.set({
    name: 'quoting',
    operation: 'readProfile',
    respond: () => (response) => ({ ...response, status: 500, body }),
  });
  assert.match(
    resultText(await play('an avatar keeps its items', embeddedEnvironment(service))),
    /^failed · .*readProfile · .*got 500/,
  );
});
