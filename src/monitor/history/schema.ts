/** Marks the file as Sextant's (`PRAGMA application_id`): "sxt2". */
export const APPLICATION_ID = 0x73787432;

/** The application ids that builds before 1.0 wrote: "sxtn" and "sxt1". */
export const EARLIER_IDS = [0x7378746e, 0x73787431];

/** Version of the file format (`PRAGMA user_version`). Anybody who increases it must add the SQL that upgrades older files. */
export const VERSION = 1;

export const SCHEMA = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE scenario (
    id INTEGER PRIMARY KEY, environment TEXT NOT NULL, title TEXT NOT NULL, area TEXT NOT NULL, effect TEXT NOT NULL,
    firstRun INTEGER NOT NULL, lastJudged INTEGER, standing TEXT NOT NULL,
    UNIQUE (environment, title)
  ) STRICT;

  CREATE TABLE run (
    id INTEGER PRIMARY KEY, scenario INTEGER NOT NULL REFERENCES scenario, planned INTEGER NOT NULL,
    started INTEGER NOT NULL, ms REAL NOT NULL, verdict TEXT NOT NULL, retry TEXT, evidence TEXT NOT NULL,
    status INTEGER, phases TEXT, grade TEXT, reason TEXT, curl TEXT, exchange TEXT
  ) STRICT;
  CREATE INDEX run_passed ON run (scenario, started) WHERE reason IS NULL;
  CREATE INDEX run_failed ON run (scenario, started) WHERE reason IS NOT NULL;

  CREATE TABLE rollup (
    scenario INTEGER NOT NULL REFERENCES scenario, size INTEGER NOT NULL, start INTEGER NOT NULL,
    runs INTEGER NOT NULL, judged INTEGER NOT NULL, good INTEGER NOT NULL, degraded INTEGER NOT NULL,
    retried INTEGER NOT NULL, latency TEXT NOT NULL,
    PRIMARY KEY (scenario, size, start)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE flip (
    id INTEGER PRIMARY KEY, scenario INTEGER NOT NULL REFERENCES scenario, "from" TEXT NOT NULL, "to" TEXT NOT NULL,
    since INTEGER NOT NULL, steady REAL NOT NULL, isAtMost INTEGER, at INTEGER NOT NULL, verdict TEXT NOT NULL, grade TEXT,
    reason TEXT, curl TEXT, sentence TEXT, cause TEXT NOT NULL, incident INTEGER
  ) STRICT;
  CREATE INDEX flip_by_scenario ON flip (scenario, id);

  CREATE TABLE gap (scenario INTEGER NOT NULL REFERENCES scenario, "from" INTEGER NOT NULL, "to" INTEGER NOT NULL) STRICT;
  CREATE INDEX gap_by_scenario ON gap (scenario, "from");

  CREATE TABLE maintenance (
    id INTEGER PRIMARY KEY, environment TEXT NOT NULL, start INTEGER NOT NULL, until INTEGER NOT NULL, why TEXT NOT NULL,
    person TEXT NOT NULL, endedBy TEXT
  ) STRICT;
  CREATE INDEX maintenance_by_end ON maintenance (until);

  CREATE TABLE incident_event (
    id INTEGER PRIMARY KEY, incident INTEGER NOT NULL REFERENCES flip, at INTEGER NOT NULL, kind TEXT NOT NULL,
    person TEXT NOT NULL, text TEXT NOT NULL, hit INTEGER
  ) STRICT;
  CREATE INDEX incident_event_by_incident ON incident_event (incident, id);

  CREATE TABLE told (
    incident INTEGER NOT NULL, route TEXT NOT NULL, told TEXT NOT NULL, PRIMARY KEY (incident, route)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE notice (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, incident INTEGER NOT NULL, channel TEXT NOT NULL, kind TEXT NOT NULL,
    body TEXT NOT NULL, created INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    sent INTEGER, given_up INTEGER, error TEXT
  ) STRICT;
  CREATE INDEX notice_waiting ON notice (incident, channel) WHERE sent IS NULL AND given_up IS NULL;
  CREATE INDEX notice_by_incident ON notice (incident, channel);
  CREATE INDEX notice_by_age ON notice (coalesce(sent, given_up));
`;
