import { expect, scenario } from '../../fixtures/index.ts';

/** Texts as people write them. Each contains a generated text, so that anybody can see that Sextant wrote it. */
const texts: Readonly<Record<string, (made: string) => { name: string } | { status: string } | { url: string }>> = {
  'an emoji': (made) => ({ name: `${made} 🚲 bell` }),
  quotes: (made) => ({ name: `${made} "Jo" Smith` }),
  'an apostrophe': (made) => ({ name: `${made} O'Hara` }),
  'an ampersand': (made) => ({ name: `${made} R&D; 50% + 1` }),
  'a backslash': (made) => ({ name: `${made} a\\b` }),
  'letters with marks': (made) => ({ name: `${made} Zoë Háu q\u0303a` }),
  'a script from right to left': (made) => ({ name: `${made} שלום` }),
  'a script without spaces': (made) => ({ name: `${made} 千と千尋` }),
  'a long name': (made) => ({ name: `${made} ${'Anna '.repeat(9)}Lang` }),
  'the characters of a status': (made) => ({ status: `${made} 🚲 "Zoë" & O'Hara` }),
  'the query of an address': (made) => ({ url: `https://images.example/${made}.png?size=2&of=1` }),
};

for (const [what, around] of Object.entries(texts)) {
  scenario(
    `updateProfile keeps ${what}`,
    { tag: ['@profile', '@overwriting', '@restorable'] },
    async ({ profile, caller, data, newProfile, unlessRefused, canReadProfile: _ }) => {
      const written = { ...newProfile(), ...around(data.text()) };
      await unlessRefused(profile.updateProfile(written).isDecided(), what);
      await profile.readProfile({ userId: caller.id }).eventually((read) => {
        expect(read, 'documented: updating the profile changes the name').toMention(written.name);
        expect(read, 'documented: updating the profile changes the status').toShow('status', written);
        expect(read, 'documented: updating the profile changes the avatar').toShow('url', written);
      });
    },
  );
}

scenario(
  'evaluate keeps the characters of a default',
  { tag: ['@features', '@read'] },
  async ({ features, data, fallsBack, unlessRefused }) => {
    const text = `${data.text()} 🚲 "Zoë" & O'Hara; a\\b <i>, and so on`;
    const asked = { key: data.text(), contextData: data.context() };
    await unlessRefused(features.evaluate({ ...asked, default: text }).isDecided(), 'a default of several characters');
    await fallsBack((fallback) => features.evaluate({ ...asked, default: fallback }), text);
  },
);

scenario(
  'updateProfile keeps spaces around a name',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, caller, data, newProfile, unlessRefused, keepsText, canReadProfile: _ }) => {
    const made = data.text();
    const name = `  ${made} `;
    await unlessRefused(
      profile.updateProfile({ ...newProfile(), name }).isDecided(),
      'a name between spaces',
      'spaces-around',
    );
    const read = await profile
      .readProfile({ userId: caller.id })
      .eventually((shown) => expect(shown, 'documented: updating the profile changes the name').toMention(made));
    await keepsText(read, 'a name between spaces', name);
  },
);
