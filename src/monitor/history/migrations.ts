/** Marks the file as Sextant's (`PRAGMA application_id`): "sxtn". */
export const APPLICATION_ID = 0x7378746e;

/** Migrations, oldest first: entry n brings a file from version n to n + 1. Never change a released one. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE scenario (
    id INTEGER PRIMARY KEY, environment TEXT NOT NULL, title TEXT NOT NULL, area TEXT NOT NULL, effect TEXT NOT NULL,
    first_run INTEGER NOT NULL, last_judged INTEGER, standing TEXT NOT NULL,
    UNIQUE (environment, title)
  ) STRICT;

  CREATE TABLE run (
    id INTEGER PRIMARY KEY, scenario INTEGER NOT NULL REFERENCES scenario, planned INTEGER NOT NULL,
    started INTEGER NOT NULL, ms REAL NOT NULL, verdict TEXT NOT NULL, retry TEXT, evidence TEXT NOT NULL,
    status INTEGER, phases TEXT
  ) STRICT;
  CREATE INDEX run_by_scenario ON run (scenario, started);

  CREATE TABLE failure (
    run INTEGER PRIMARY KEY, scenario INTEGER NOT NULL REFERENCES scenario, started INTEGER NOT NULL,
    verdict TEXT NOT NULL, retry TEXT, grade TEXT, reason TEXT, curl TEXT, exchange TEXT
  ) STRICT;
  CREATE INDEX failure_by_scenario ON failure (scenario, started);

  CREATE TABLE rollup (
    scenario INTEGER NOT NULL REFERENCES scenario, size INTEGER NOT NULL, start INTEGER NOT NULL,
    runs INTEGER NOT NULL, judged INTEGER NOT NULL, good INTEGER NOT NULL, degraded INTEGER NOT NULL,
    retried INTEGER NOT NULL, skipped INTEGER NOT NULL, missed INTEGER NOT NULL, latency TEXT,
    PRIMARY KEY (scenario, size, start)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE flip (
    id INTEGER PRIMARY KEY, scenario INTEGER NOT NULL REFERENCES scenario, before TEXT NOT NULL, after TEXT NOT NULL,
    since INTEGER NOT NULL, at INTEGER NOT NULL, verdict TEXT NOT NULL, grade TEXT, reason TEXT, curl TEXT,
    cause TEXT NOT NULL, address TEXT NOT NULL
  ) STRICT;

  CREATE TABLE gap (scenario INTEGER NOT NULL REFERENCES scenario, start INTEGER NOT NULL, until INTEGER NOT NULL) STRICT;
  CREATE INDEX gap_by_scenario ON gap (scenario, start);

  CREATE TABLE maintenance (
    environment TEXT NOT NULL, start INTEGER NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (environment, start)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE telling (
    id INTEGER PRIMARY KEY, incident INTEGER NOT NULL REFERENCES flip, kind TEXT NOT NULL, at INTEGER NOT NULL,
    hits INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE notice (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, incident INTEGER NOT NULL, channel TEXT NOT NULL,
    body TEXT NOT NULL, created INTEGER NOT NULL, next_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    claimed_until INTEGER, sent INTEGER, given_up INTEGER, error TEXT
  ) STRICT;
  CREATE INDEX notice_waiting ON notice (next_at) WHERE sent IS NULL AND given_up IS NULL;
  `,
  `
  ALTER TABLE flip ADD COLUMN pattern TEXT;
  ALTER TABLE flip ADD COLUMN incident INTEGER;

  CREATE TABLE incident_event (
    id INTEGER PRIMARY KEY, incident INTEGER NOT NULL REFERENCES flip, at INTEGER NOT NULL, kind TEXT NOT NULL,
    person TEXT NOT NULL, text TEXT NOT NULL, until INTEGER
  ) STRICT;
  CREATE INDEX incident_event_by_incident ON incident_event (incident, id);
  `,
  // `phases`: a JSON of `PhaseSums`, over the judged runs of the bucket; roll-ups of before have none.
  `
  CREATE INDEX flip_by_scenario ON flip (scenario, id);
  ALTER TABLE rollup ADD COLUMN phases TEXT;
  `,
  // Nothing new but what `rollup.latency` may hold: single latencies behind the histogram, which an earlier version couldn't read.
  '',
  // What each channel was told replaces what was said of an incident. Of incidents that are open, it was told what was down then.
  `
  ALTER TABLE notice ADD COLUMN kind TEXT;
  UPDATE notice SET kind = json_extract(body, '$.kind');
  CREATE INDEX notice_by_incident ON notice (incident, channel);
  CREATE INDEX flip_by_incident ON flip (incident);
  CREATE TABLE told (
    incident INTEGER NOT NULL, channel TEXT NOT NULL, hit INTEGER NOT NULL, PRIMARY KEY (incident, channel, hit)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO told SELECT DISTINCT notice.incident, notice.channel, flip.id
    FROM notice JOIN flip ON coalesce(flip.incident, flip.id) = notice.incident
    WHERE flip.after IN ('down', 'skipped') AND flip.at <= notice.created AND NOT EXISTS (
      SELECT 1 FROM notice AS last WHERE last.incident = notice.incident AND last.channel = notice.channel AND last.kind = 'up'
    );
  DROP TABLE telling;

  CREATE TABLE announced (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, environment TEXT NOT NULL, area TEXT, start INTEGER NOT NULL,
    until INTEGER NOT NULL, why TEXT NOT NULL, person TEXT NOT NULL, ended_by TEXT
  ) STRICT;
  `,
  // `call`: a JSON of the failing call, by which a cause is named; that of an earlier flip is in the exchange that was kept of its failure.
  `
  ALTER TABLE flip ADD COLUMN call TEXT;
  UPDATE flip SET call = (
    SELECT json_patch(
      json_object(
        'operation', json_extract(exchange, '$.operation'),
        'origin', substr(json_extract(exchange, '$.request.url'), 1, instr(substr(json_extract(exchange, '$.request.url'), 9) || '/', '/') + 7)
      ),
      json_object(
        'status', json_extract(exchange, '$.answer.status'),
        'failure', json_extract(exchange, '$.failure')
      )
    )
    FROM failure
    WHERE failure.scenario = flip.scenario AND failure.reason IS flip.reason AND failure.started <= flip.at
      AND json_valid(exchange)
    ORDER BY failure.started DESC LIMIT 1
  ) WHERE after = 'down';
  `,
  // `hit`: the last flip that an acknowledgement covers, because a clock that was set back puts later ones before it.
  `
  ALTER TABLE incident_event ADD COLUMN hit INTEGER;
  UPDATE incident_event SET hit = (SELECT max(id) FROM flip WHERE flip.at <= incident_event.at) WHERE kind = 'acknowledged';
  `,
];
