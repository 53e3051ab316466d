import { expect, scenario } from '../../fixtures/index.ts';

/** Names that people have, around a text that marks them as made here. */
const names: Readonly<Record<string, (made: string) => string>> = {
  'an emoji': (made) => `${made} 🚲 bell`,
  quotes: (made) => `${made} "Jo" Smith`,
  'an apostrophe': (made) => `${made} O'Hara`,
  'an ampersand': (made) => `${made} R&D; 50% + 1`,
  'a backslash': (made) => `${made} a\\b`,
  'letters with marks': (made) => `${made} Zoë Háu q\u0303a`,
  'a script from right to left': (made) => `${made} שלום`,
  'a script without spaces': (made) => `${made} 千と千尋`,
  'a long name': (made) => `${made} ${'Anna '.repeat(9)}Lang`,
};

for (const [what, around] of Object.entries(names)) {
  scenario(
    `updateProfile keeps ${what}`,
    { tag: ['@profile', '@overwriting', '@restorable'] },
    async ({ profile, caller, data, unlessRefused, canReadProfile: _ }) => {
      const name = around(data.text());
      await unlessRefused(profile.updateProfile({ ...data.profile(), name }).isDecided(), what);
      await profile
        .readProfile({ userId: caller.id })
        .eventually((read) => expect(read, 'documented: updating the profile changes the name').toMention(name));
    },
  );
}

const others = {
  status: (made: string) => `${made} 🚲 "Zoë" & O'Hara`,
  url: (made: string) => `https://images.example/${made}.png?size=2&of=1`,
};

for (const field of ['status', 'url'] as const) {
  scenario(
    `updateProfile keeps the characters of a ${field}`,
    { tag: ['@profile', '@overwriting', '@restorable'] },
    async ({ profile, caller, data, unlessRefused, canReadProfile: _ }) => {
      const written = { ...data.profile(), [field]: others[field](data.text()) };
      await unlessRefused(profile.updateProfile(written).isDecided(), `a ${field} of several characters`);
      await profile.readProfile({ userId: caller.id }).eventually((read) => {
        expect(read, 'documented: updating the profile changes the name').toMention(written.name);
        expect(read, `documented: updating the profile changes the ${field}`).toShow(field, written);
      });
    },
  );
}

scenario(
  'evaluate keeps the characters of a default',
  { tag: ['@features', '@read'] },
  async ({ features, data, fallsBack, unlessRefused }) => {
    const text = `${data.text()} 🚲 "Zoë" & O'Hara; a\\b <i>, and so on`;
    const asked = { key: data.text(), default: text, contextData: data.context() };
    await unlessRefused(features.evaluate(asked).isDecided(), 'a default of several characters');
    await fallsBack(asked);
  },
);

scenario(
  'updateProfile keeps spaces around a name',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, caller, data, unlessRefused, asBefore, canReadProfile: _ }) => {
    const made = data.text();
    const name = `  ${made} `;
    await unlessRefused(profile.updateProfile({ ...data.profile(), name }).isDecided(), 'a name between spaces');
    const read = await profile
      .readProfile({ userId: caller.id })
      .eventually((shown) => expect(shown, 'documented: updating the profile changes the name').toMention(made));
    await asBefore.keeps(read, 'a name between spaces', name);
  },
);
