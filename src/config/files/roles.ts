/** Why the program opens a file, as an error shows it. */
export interface FileRole {
  /** Completes "… (<what>) can't be read". */
  readonly what: string;
  /** Completes "…, or <elsewhere>"; absent: there is no other place. */
  readonly elsewhere?: string;
}

const environments = 'name another folder with SEXTANT_ENVIRONMENTS';
const state = 'name another folder with SEXTANT_STATE';
const output = 'name another folder with SEXTANT_OUTPUT';
const surveys = 'name another folder with SEXTANT_SURVEYS';
const data = 'name another folder with --data';

/** Every file and folder that the program opens. A test breaks each of them in every way. */
export const fileRoles = {
  environments: { what: 'the folder of the environments', elsewhere: environments },
  environment: { what: 'the settings of an environment', elsewhere: environments },
  secrets: { what: 'the secrets of an environment', elsewhere: environments },
  certificate: { what: 'a certificate that an environment names', elsewhere: 'name another file' },
  quarantine: { what: 'the quarantine list', elsewhere: environments },
  imported: { what: 'the file to import', elsewhere: 'name another file' },
  observed: { what: 'observed responses of an environment', elsewhere: 'name another folder with SEXTANT_OBSERVED' },
  openApi: { what: "the team's own OpenAPI document", elsewhere: 'name another file' },
  survey: { what: 'a survey', elsewhere: surveys },
  surveyProgress: { what: 'the progress of an unfinished survey', elsewhere: output },
  state: { what: 'the state that outlives a run', elsewhere: state },
  journal: { what: 'the undo journal', elsewhere: state },
  lockFile: { what: 'the lock of a run' },
  consents: { what: 'the record of consents', elsewhere: state },
  accepted: { what: 'the record of accepted data', elsewhere: state },
  usedItems: { what: 'the record of used items', elsewhere: state },
  page: {
    what: 'the summary page',
    elsewhere: 'name another file with --summary, or another folder with SEXTANT_OUTPUT',
  },
  exported: { what: 'the exported requests', elsewhere: 'name another folder with --output' },
  junit: { what: 'the JUnit file', elsewhere: 'name another file with --junit' },
  output: { what: 'the results of a run', elsewhere: output },
  shard: { what: 'the results of a shard', elsewhere: 'name the folders that its jobs left with --merge' },
  site: { what: 'the site of reports', elsewhere: 'name another folder with --site' },
  scratch: { what: 'temporary files', elsewhere: 'name another folder with TMPDIR' },
  settings: { what: 'the settings of the monitor', elsewhere: 'name another file with --settings' },
  data: { what: 'the data of the monitor', elsewhere: data },
  lock: { what: 'the lock of the monitor', elsewhere: data },
  history: { what: 'the history of the monitor', elsewhere: data },
  serviceState: { what: 'the state of the reference service', elsewhere: 'name another file with --data' },
  source: { what: 'a file of the project', elsewhere: 'restore it from the repository' },
  matrix: { what: 'the kill matrix', elsewhere: 'restore it from the repository' },
} as const satisfies Record<string, FileRole>;
