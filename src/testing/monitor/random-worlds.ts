import fc from 'fast-check';

/** Three environments, two of them on one host, two with maintenance windows. `block2` is the scenario `block` with a new name. */
const WORLD = `aa, bb at h; cc at i; block, list, block2 in friends; love in stories
aa 30–90 maintenance; aa 330–350 maintenance; cc 60–300 maintenance`.replace('\n', '; ');

const environments = ['aa', 'bb', 'cc'] as const;
const titles = ['friends/block', 'friends/list', 'stories/love', 'friends/block2'] as const;

/** The places that can be in trouble, from the narrowest to the widest: a scenario, an area, an environment, a host. */
const targets = [
  ...['aa', 'bb'].flatMap((name) => titles.map((title) => `${name}/${title}`)),
  ...['aa', 'bb'].flatMap((name) => [`${name}/friends`, `${name}/stories`]),
  ...environments,
  'h',
];

const anyTarget = fc.constantFrom(...targets);
const broken = ['refused', '500', 'broken'] as const;
const trouble = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...broken) },
  fc.constantFrom(...broken, 'unknown', 'skipped', 'unproven'),
);

const event = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: anyTarget, trouble }) },
  { weight: 6, arbitrary: fc.record({ heals: anyTarget }) },
  { weight: 3, arbitrary: fc.record({ all: fc.constantFrom('heal', 'restarted', 'acknowledged') }) },
  // In this event, somebody sets the calendar forward or back by the number of minutes in its name.
  {
    weight: 1,
    arbitrary: fc.record({ all: fc.constantFrom('set-1500', 'set-61', 'set-7', 'set+7', 'set+61', 'set+1500') }),
  },
  // From this event on, the monitor runs only the scenarios `chosen` of the environments `of`.
  {
    weight: 1,
    arbitrary: fc.record({
      of: fc.subarray([...environments], { minLength: 1 }),
      chosen: fc.subarray([...titles], { minLength: 1 }),
    }),
  },
);

const step = fc.record({
  events: fc.array(event, { minLength: 0, maxLength: 2 }),
  /** Minutes in which each monitored scenario runs once. */
  rounds: fc.integer({ min: 1, max: 3 }),
  /** Minutes without runs after these rounds. */
  pause: fc.constantFrom<number[]>(0, 0, 0, 1, 2, 7, 20, 45, 90, 200),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Random stories for `tellOutages`. Each ends with 3 minutes in which every scenario runs and passes, and 400 minutes without runs. */
export const worlds = fc.array(step, { minLength: 1, maxLength: 20 }).map(storyOf);

function storyOf(steps: readonly Step[]): string {
  const clauses: string[] = [];
  /** The present trouble of each place (or `unchosen` for a scenario that isn't monitored), and the minute in which it began. */
  const since = new Map<string, readonly [how: string, from: number]>();
  let now = 0;
  const end = (key: string) => {
    const [how, from] = since.get(key) ?? ['', now];
    if (from < now) clauses.push(`${key.replace('not ', '')} ${from}–${now} ${how}`);
    since.delete(key);
  };
  const begin = (key: string, how: string) => {
    if (since.get(key)?.[0] === how) return;
    end(key);
    since.set(key, [how, now]);
  };
  const choose = (of: readonly string[], chosen: readonly string[]) => {
    for (const name of environments)
      for (const title of titles)
        if (of.includes(name) && chosen.includes(title)) end(`not ${name}/${title}`);
        else begin(`not ${name}/${title}`, 'unchosen');
  };
  choose(environments, titles.slice(0, -1));
  for (const { events, rounds, pause } of steps) {
    for (const one of events)
      if ('what' in one) begin(one.what, one.trouble);
      else if ('heals' in one) end(one.heals);
      else if ('of' in one) choose(one.of, one.chosen);
      else if (one.all === 'heal') for (const target of targets) end(target);
      else clauses.push(`all ${now}–${now + 1} ${one.all}`);
    now += rounds;
    if (pause > 0) clauses.push(`all ${now}–${now + pause} unseen`);
    now += pause;
  }
  for (const key of [...since.keys()]) end(key);
  const rank = (clause: string) => targets.indexOf(clause.split(' ')[0] ?? '');
  const sorted = clauses.toSorted((a, b) => rank(a) - rank(b));
  return [WORLD, ...sorted, `all ${now + 3}–${now + 403} unseen`, `all 0–${now + 403} played`].join('; ');
}
