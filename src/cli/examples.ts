/** Two examples for each command and sub-command, which end its help. */
export const examples: Readonly<Record<string, readonly [string, string]>> = {
  '': ['npx sextant test --env local', 'npx sextant check --env local --json'],
  test: ['npx sextant test --env staging --area friends', "npx sextant test --env 'prod-*' --tag read"],
  check: [
    "npx sextant check --env staging --scenario '*profile*'",
    'npx sextant check --env staging --deadline 50s --json',
  ],
  report: ['npx sextant report --merge shards', 'npx sextant report --site public'],
  monitor: ['npx sextant monitor --env staging --every 60s', "npx sextant monitor --env 'prod-*' --port 8080"],
  maintenance: [
    "npx sextant maintenance start --env 'prod-*' 1h --why 'release 41'",
    "npx sextant maintenance end --env 'prod-*'",
  ],
  'maintenance start': [
    "npx sextant maintenance start --env 'prod-*' 1h --why 'release 41'",
    'npx sextant maintenance start --env staging 20m',
  ],
  'maintenance end': ['npx sextant maintenance end --env staging', "npx sextant maintenance end --env 'prod-*'"],
  prober: ["npx sextant prober --env 'prod-*'", 'npx sextant prober --env staging --listen 0.0.0.0:9465'],
  survey: ['npx sextant survey --env staging', "npx sextant survey --env 'qa-*' --area friends --update"],
  compare: ['npx sextant compare staging production', 'npx sextant compare api/openapi.yaml staging'],
  openapi: ['npx sextant openapi', 'npx sextant openapi --env staging'],
  export: ['npx sextant export --env staging --format http', 'npx sextant export --env staging --format postman'],
  drill: ['npx sextant drill --fault unblock-does-nothing', 'npx sextant drill --env staging --fail-under 95'],
  environments: ['npx sextant environments list', 'npx sextant environments new staging'],
  'environments list': ['npx sextant environments list', 'SEXTANT_ENVIRONMENTS=envs npx sextant environments list'],
  'environments check': ['npx sextant environments check staging', 'npx sextant environments check production'],
  'environments import': [
    'npx sextant environments import staging.postman_environment.json collection.json --name staging',
    'npx sextant environments import .env --name staging --map STORIES_HOST=STORY_URL',
  ],
  'environments new': [
    'npx sextant environments new staging',
    "npx sextant environments new staging --from .env --from 'curl https://friends.your.org/v1/friends/block/0/100'",
  ],
  doctor: ['npx sextant doctor', 'npx sextant doctor --env staging'],
  new: [
    'npx sextant new scenario "love, then unlove" --area stories --effect reversible',
    'npx sextant new environment qa',
  ],
  'new scenario': [
    'npx sextant new scenario "love, then unlove" --area stories --effect reversible',
    'npx sextant new scenario "read both lists" --area friends --effect read',
  ],
  'new operation': [
    'npx sextant new operation pinStory --area stories --method POST --path /v1/stories/pin --request storyPin --effect irreversible',
    'npx sextant new operation listStories --area stories --method GET --path /v1/stories/{n1} --effect read',
  ],
  'new channel': ['npx sextant new channel pager', 'npx sextant new channel matrix'],
  'new environment': ['npx sextant new environment qa', 'npx sextant new environment production'],
  init: ['npx sextant init', 'npx sextant init api-checks --env production'],
  undo: ['npx sextant undo --env staging', "npx sextant undo --env 'prod-*' --forget"],
  alerts: ['npx sextant alerts test', 'npx sextant alerts test --help'],
  'alerts test': ['npx sextant alerts test', 'npx sextant alerts test --settings monitor.env'],
  history: ['npx sextant history export', 'npx sextant history export --help'],
  'history export': ['npx sextant history export', 'npx sextant history export > history.ndjson'],
  serve: ['npx sextant serve --port 5010', 'npx sextant serve --env local --data state.db'],
};
