import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileRoles, readTextIfAny } from '../environment/files/index.ts';
import { type Environment, loadEnvironment } from '../environment/index.ts';
import { HistoryDatabase } from '../monitor/index.ts';
import { consentTo } from '../safety/index.ts';
import { assertOutputFolder, takeOutputLock } from '../scenario/index.ts';
import { type Files, writeFiles } from '../testing/own-folder.ts';
import { type Ended, ended, runInProcess } from '../testing/programs/run-in-process.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { environmentText } from '../testing/test-environment.ts';

interface BrokenState {
  readonly name: string;
  /** Puts the healthy file or folder at `path` into this broken state. */
  readonly make: (path: string) => void;
  /** Every command must succeed in this state. */
  readonly isFine?: true;
  /** Undoes changes that would affect the tests of other states. */
  readonly end?: (path: string) => void;
  /** The test needs a user without root's rights, or a file system that it mounts. */
  readonly needs?: 'ordinary user' | 'mount';
}

const gone = (path: string) => rmSync(path, { recursive: true, force: true });
const instead = (make: (path: string) => void) => (path: string) => {
  gone(path);
  make(path);
};

/** The sandbox folder that contains a file. It may be a mount point, so a test can fill its file system or make it read-only. */
const sandboxOf = (path: string) => path.replace(/(\/sandbox)\/.*/, '$1');
const filler = (path: string) => join(sandboxOf(path), '.filler');

/** The path of a FIFO. The tests create one FIFO and link to it, because creating a FIFO starts the program `mkfifo`. */
function fifo(path: string): string {
  const file = join(sandboxOf(path), '.fifo');
  if (!existsSync(file)) execFileSync('mkfifo', ['-m', '666', file]);
  return file;
}

const withMode = (mode: number, at: (path: string) => string) => (path: string) => chmodSync(at(path), mode);
const itself = (path: string) => path;
/** The folder to make read-only: `path` itself if it is a folder, otherwise the folder that contains it. */
const folderOf = (path: string) => (existsSync(path) && statSync(path).isDirectory() ? path : dirname(path));
const remounted = (mode: string) => (path: string) => execFileSync('mount', ['-o', `remount,${mode}`, sandboxOf(path)]);

const noise = Buffer.from(Array.from({ length: 9_000 }, (_, n) => (n * 89) % 251));

const MARKED = 'text after a byte order mark';

/** Every broken state of a file. For each file that the program opens, the tests try each of these states. */
const brokenStates: readonly BrokenState[] = [
  { name: 'missing', make: gone },
  { name: 'unreadable', make: withMode(0, itself), end: withMode(0o777, itself), needs: 'ordinary user' },
  { name: 'a folder', make: instead((path) => mkdirSync(path)) },
  { name: 'a file', make: instead((path) => writeFileSync(path, 'not a folder')) },
  { name: 'a FIFO', make: instead((path) => linkSync(fifo(path), path)) },
  { name: 'a device', make: instead((path) => symlinkSync('/dev/full', path)) },
  { name: 'a dangling link', make: instead((path) => symlinkSync(join(dirname(path), 'nowhere', 'at-all'), path)) },
  { name: 'a link to itself', make: instead((path) => symlinkSync(path, path)) },
  { name: 'garbage', make: (path) => writeFileSync(path, noise) },
  { name: 'empty', make: (path) => truncateSync(path) },
  { name: 'half', make: (path) => truncateSync(path, Math.floor(statSync(path).size / 2)) },
  {
    name: MARKED,
    // Editors on Windows write a byte order mark.
    make: (path) => writeFileSync(path, `\ufeff${readFileSync(path, 'utf8')}`),
    isFine: true,
  },
  {
    name: 'in a read-only folder',
    make: withMode(0o555, folderOf),
    end: withMode(0o777, folderOf),
    needs: 'ordinary user',
  },
  { name: 'on a full disk', make: (path) => fill(filler(path)), end: (path) => gone(filler(path)), needs: 'mount' },
  { name: 'on a read-only file system', make: remounted('ro'), end: remounted('rw'), needs: 'mount' },
];

function fill(path: string): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  for (let size = chunk.length; size > 0; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(path, chunk.subarray(0, size), { flag: 'a' });
    } catch {
      // The disk has no room for another chunk of this size, so try a smaller one.
    }
  }
}

const folders = ['environments', 'state', 'output', 'data', 'observed', 'scratch', 'work'] as const;
type Folder = (typeof folders)[number];

type Path = Folder | `${Folder}/${string}`;

/** A file or folder that the program opens, and a command that opens it. */
interface Opened {
  readonly path: Path;
  /** The file's content for a healthy run, or a function that creates the file; absent for a folder. */
  readonly holds?: string | (() => void);
  /** Further files that the run needs. The environment `my` is always there. */
  readonly beside?: { readonly [path in Path]?: unknown };
  /** Name of the file in the titles of the tests. Default: `what` of the file's role in `fileRoles`. */
  readonly name?: string;
  readonly run: () => Promise<Ended>;
  /** Exit code of the command if the file is healthy; default: 0. */
  readonly code?: number;
  /** States in which the command must succeed, because the command doesn't need the content, or creates the file again. */
  readonly fine: readonly string[];
  /**
   * States to leave out if root runs the tests. In these states, the test process switches to another user, which changes what the command
   * does.
   */
  readonly untriedByRoot?: readonly string[];
}

/** A function that returns a path in the sandbox, and the content of an environment file. */
interface Setting extends Pick<Sandbox, 'at'> {
  readonly environmentText: string;
}

/** The files that the program opens, by their role. */
type OpenedIn = Readonly<Record<keyof typeof fileRoles, Opened | readonly Opened[]>>;

/** States that make no difference to a file that the program only reads. */
const readOnly = ['in a read-only folder', 'on a full disk', 'on a read-only file system'];

/** States that make no difference to a file whose content the program replaces. */
const content = ['garbage', 'empty', 'half'];

type Sandbox = ReturnType<typeof sandbox>;

const LITTLE = '1500k';

/**
 * Creates the folders that the program uses, such as `environments` and `state`. If the test may mount a disk, they are on a separate small
 * disk.
 */
function sandbox() {
  const outer = mkdtempSync(join(tmpdir(), 'sextant-broken-'));
  const root = join(outer, 'sandbox');
  mkdirSync(root);
  const isMounted = mounts(root);
  chmodSync(outer, 0o777);
  const end = () => {
    process.off('exit', end);
    if (isMounted) execFileSync('umount', ['-l', root]);
    rmSync(outer, { recursive: true, force: true });
  };
  // Unmounts the disk even if a test fails.
  process.on('exit', end);
  const at = (path: Path) => join(root, path);
  const set = { SEXTANT_ENVIRONMENTS: at('environments'), SEXTANT_STATE: at('state'), SEXTANT_OUTPUT: at('output') };
  const more = { SEXTANT_OBSERVED: at('observed'), TMPDIR: at('scratch') };
  Object.assign(process.env, set, more);
  return {
    /** Whether the folders are on a separate file system, which a test can fill or make read-only. */
    isMounted,
    at,
    /**
     * Empties the folders, and writes the files of a healthy run. Gives mode 777 to the file under test, because some tests run the command
     * as another user.
     */
    prepare: ({ path, holds, beside }: Opened, environmentText: string) => {
      for (const folder of folders) {
        rmSync(at(folder), { recursive: true, force: true });
        mkdirSync(at(folder));
      }
      const text: Files = typeof holds === 'string' ? { [path]: holds } : {};
      writeFiles(root, { 'environments/my.env': environmentText, ...beside, ...text });
      if (typeof holds === 'function') holds();
      else if (holds === undefined) mkdirSync(at(path), { recursive: true });
      if (existsSync(at(path))) chmodSync(at(path), 0o777);
    },
    end,
  };
}

function mounts(path: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${LITTLE},mode=777`, 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const optional = ['missing', ...readOnly];
const replaced = ['missing', ...content];
const madeAnew = ['missing', 'empty', 'half'];

/** For each role of a file: the files that have this role, and a command that opens each of them. */
function openedFiles({ at, environmentText }: Setting): OpenedIn {
  const openapi = () => runInProcess(['openapi', '--env', 'my']);
  const check = (...args: string[]) => runInProcess(['check', '--env', 'my', '--scenario', '*flag*', ...args]);
  const undo = () => runInProcess(['undo', '--env', 'my']);
  const imported = 'work/import.env';
  const importing = {
    run: () => runInProcess(['environments', 'import', at(imported), '--name', 'new', '--force']),
    // Exit code 1, because the imported keys alone are no complete environment.
    code: 1,
  };
  const address = 'FRIEND_URL=http://a.test/\n';
  const left = '{"environment":"my"}\n';
  const remote = () => ({ ...loadEnvironment('my'), name: 'remote', isLoopback: false }) as Environment;
  const monitor = () =>
    runInProcess(['monitor', '--env', 'my', '--port', '0', '--data', at('data')], { stopAt: /Press Ctrl-C/ });
  const history = 'data/history.sqlite';
  const newHistory = () => {
    new HistoryDatabase(at(history)).close();
    // Some tests run the command as another user, who must be able to write this file.
    chmodSync(at(history), 0o666);
  };
  return {
    environment: [
      { path: 'environments/my.env', holds: environmentText, run: openapi, fine: readOnly },
      {
        name: 'the quarantine',
        path: 'environments/quarantine.json',
        holds: '[]',
        run: () => check(),
        fine: ['missing', 'in a read-only folder'],
      },
      {
        name: 'the target of an import',
        path: 'environments/new.env',
        holds: environmentText,
        beside: { [imported]: address },
        ...importing,
        fine: ['missing', 'unreadable', ...content],
      },
      {
        name: 'the folder of the environments',
        path: 'environments',
        run: () => runInProcess(['environments', 'list']),
        fine: optional,
      },
    ],
    secrets: [
      {
        path: 'environments/my.secret.env',
        holds: 'ACCESS_TOKEN=token-of-the-secret-file\n',
        run: openapi,
        fine: ['empty', ...optional],
      },
      {
        name: 'the secrets of an import',
        path: 'environments/new.secret.env',
        holds: 'API_KEY=an-older-key\n',
        beside: { [imported]: 'API_KEY=key-of-the-import\n' },
        ...importing,
        fine: ['missing', 'unreadable', ...content],
      },
    ],
    given: { path: imported, holds: address, ...importing, fine: ['half', 'in a read-only folder'] },
    observed: {
      path: 'observed/my/love.json',
      holds: '{"operation":"love","answers":{}}',
      run: openapi,
      fine: optional,
    },
    facts: {
      path: 'environments/my.facts.json',
      holds: '{"facts":[]}',
      run: openapi,
      fine: optional,
    },
    state: [
      { path: 'state', run: () => check(), fine: ['missing'] },
      {
        name: 'the undo journal',
        path: 'state/journal/my/a.jsonl',
        holds: left,
        run: undo,
        fine: [...madeAnew, 'in a read-only folder'],
      },
      {
        name: 'the consents',
        path: 'state/consents.json',
        holds: '{"other":"x"}',
        run: ended(() => consentTo(remote(), { yes: true, output: { write: () => true } as never })),
        fine: replaced,
      },
    ],
    output: [
      { path: 'output', run: ended(() => assertOutputFolder()), fine: ['missing'] },
      {
        name: 'the lock of the results',
        path: 'output/run.sqlite',
        holds: '',
        run: ended(async () => (await takeOutputLock({ say: () => {} }))()),
        // Locking an existing file writes nothing, so a full disk makes no difference.
        fine: [...madeAnew, 'in a read-only folder', 'on a full disk'],
      },
    ],
    written: {
      path: 'work/summary.md',
      holds: '# an earlier one',
      run: () => check('--summary', at('work/summary.md')),
      fine: replaced,
    },
    scratch: {
      path: 'scratch',
      run: () => runInProcess(['environments', 'check', 'my']),
      fine: ['on a full disk'],
      // If root runs the tests, the test process switches to another user to try these two states. Node then ignores TMPDIR, so the command
      // would use another folder.
      untriedByRoot: ['unreadable', 'in a read-only folder'],
    },
    settings: {
      path: 'work/monitor.env',
      holds: 'WEBHOOK_URL=http://127.0.0.1:9/\n',
      run: () => runInProcess(['alerts', 'test', '--settings', at('work/monitor.env')]),
      code: 1,
      fine: readOnly,
    },
    data: [
      { path: 'data', run: monitor, fine: ['missing'] },
      { name: 'the lock of the monitor', path: 'data/lock.sqlite', holds: '', run: monitor, fine: madeAnew },
      { name: 'the history', path: history, holds: newHistory, run: monitor, fine: ['missing'] },
      {
        name: 'the history that is exported',
        path: history,
        holds: newHistory,
        run: () => runInProcess(['history', 'export', '--data', at('data')]),
        fine: [],
      },
      {
        name: 'the state of the reference service',
        path: 'work/state.db',
        holds: '',
        run: () => runInProcess(['serve', '--port', '0', '--data', at('work/state.db')], { stopAt: /Ctrl-C/ }),
        fine: madeAnew,
      },
    ],
    project: {
      path: 'work/package.json',
      holds: '{"type":"module"}',
      run: ended(() => readTextIfAny(at('work/package.json'), fileRoles.project)),
      fine: [...content, ...optional],
    },
  };
}

const service = await ownService();
const box = sandbox();
process.umask(0);
after(() => box.end());

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const setting = { at: box.at, environmentText: environmentText(service.addresses) };
/** `OpenedIn` requires an entry for each role. Without one, `openedFiles` doesn't compile, so nobody can forget a role. */
const files = Object.entries(openedFiles(setting)).flatMap(([role, all]) =>
  [all].flat().map((each: Opened) => ({ name: fileRoles[role as keyof OpenedIn].what, code: 0, ...each })),
);
type Opening = (typeof files)[number];

/** Runs `work` as a user without root's rights, because permissions don't restrict root. */
async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (!isRoot) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

/** Everything about a file that a run must not change: kind, link target, mode and bytes. */
function trace(path: string): unknown {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return 'nothing';
  if (found.isSymbolicLink()) return readlinkSync(path);
  return [found.mode, found.isFile() ? readFileSync(path).toString('latin1') : ''];
}

function whyNot({ needs, name }: BrokenState): string | undefined {
  if (needs === 'mount' && !box.isMounted) return 'a small disk can be mounted by root on Linux alone';
  if (process.platform === 'win32' && (needs === 'ordinary user' || name === 'a FIFO')) return 'Windows has none';
  return undefined;
}

function applies({ holds, untriedByRoot = [] }: Opening, { name }: BrokenState): boolean {
  if (isRoot && untriedByRoot.includes(name)) return false;
  if (name === MARKED) return typeof holds === 'string' && holds !== '';
  const others = holds === undefined ? ['a folder', 'garbage', 'empty', 'half'] : ['a file'];
  return !others.includes(name);
}

async function tried(file: Opening, state: BrokenState): Promise<void> {
  box.prepare(file, setting.environmentText);
  const path = box.at(file.path);
  state.make(path);
  const before = trace(path);
  try {
    const { code, out, err } = await (state.needs === 'ordinary user' ? asOrdinaryUser(file.run) : file.run());
    const said = `exit ${code}\n${out}${err}`;
    assert.doesNotMatch(said, /^ +at |bug in Sextant/m, said);
    if (state.isFine || file.fine.includes(state.name)) {
      assert.equal(code, file.code, said);
      return;
    }
    assert.equal(code, 2, said);
    assert.match(
      err,
      /^[^\n]+\n$|^(Environment "my" can't be used|The monitor's settings have)[^\n]+\n( {2}.*\n)+$/,
      said,
    );
    assert.deepEqual(trace(path), before, `it was changed; ${said}`);
  } finally {
    state.end?.(path);
  }
}

for (const file of files) {
  test(`${file.name}: a healthy one is read`, async () => {
    box.prepare(file, setting.environmentText);
    const { code, out, err } = await file.run();
    assert.equal(code, file.code, out + err);
  });
}

for (const state of brokenStates) {
  const skip = whyNot(state) ?? false;
  for (const file of files.filter((each) => applies(each, state)))
    test(`${file.name} is ${state.name}`, { skip }, () => tried(file, state));
}
