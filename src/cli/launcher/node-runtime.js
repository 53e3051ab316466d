#!/usr/bin/env node
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { delimiter, dirname, join, sep } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import './end-with-starter.js';

// Plain JavaScript, so that even an old Node of a user can parse this file.

/**
 * The oldest Node that can run the program. On an older Node, the launcher installs a newer one, and uses it for this start and all later
 * ones.
 */
const FLOOR = [24, 15];
/** The oldest Node that can run this launcher. */
const OLDEST = 20;

const here = dirname(fileURLToPath(import.meta.url));
const current = process.versions.node;

function isEnough() {
  const [major, minor] = current.split('.').map(Number);
  return major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1]);
}

/**
 * Runs a file with arguments on a Node that is new enough, and ends with the same exit code or signal. The child uses the same terminal, and gets the
 * signals that this process gets. If this process is killed, the child ends, too.
 */
export async function runOnEnough(file, args) {
  const found = isEnough() ? { node: process.execPath } : await newerNode();
  if (found.problem) {
    process.stderr.write(`${found.problem}\n`);
    process.exitCode = found.exitCode || 2;
    return;
  }
  // If the program itself starts `node`, it must find the Node on which it runs.
  process.env.PATH = [dirname(found.node), process.env.PATH].join(delimiter);
  const watch = new URL('end-with-starter.js', import.meta.url).href;
  const child = spawn(found.node, [...process.execArgv, '--import', watch, file, ...args], {
    stdio: 'inherit',
    env: { ...process.env, SEXTANT_LAUNCHED: '1' },
  });
  // On a terminal, the terminal itself sends Ctrl-C to the child, so don't send it again: a second signal would cut the child's clean-up
  // short.
  const isOnTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !isOnTerminal) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    process.stderr.write(`${found.node} could not be started: ${error.message}\n`);
    process.exitCode = 2;
  });
  child.on('exit', (code, signal) => {
    if (code !== null) process.exitCode = code;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}

/** Finds a newer Node, and installs it if it is missing. Returns `{ node }` with its path or, if that failed, `{ problem, exitCode }`. */
export async function newerNode() {
  const platform = `${process.platform}-${process.arch}`;
  const lock = join(here, 'runtime', platform);
  const instead = `install Node ${FLOOR.join('.')} or newer`;
  if (Number(current.split('.')[0]) < OLDEST)
    return { problem: `Sextant can't start on Node ${current}: ${instead}.` };
  if (process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime)
    return { problem: `Sextant can't run on Node ${current}, and there is no newer one to fetch for musl: ${instead}.` };
  if (!fs.existsSync(lock))
    return { problem: `Sextant can't run on Node ${current}, and there is none to fetch for ${platform}: ${instead}.` };
  const [[name, version]] = Object.entries(JSON.parse(fs.readFileSync(join(lock, 'package.json'), 'utf8')).dependencies);
  const runtime = { name, version, lock, folder: `node-${version}-${platform}` };
  const troubles = places().map((place) => ({ place, trouble: troubleOf(place) }));
  const usable = troubles.filter(({ trouble }) => !trouble).map(({ place }) => place);
  for (const place of usable) {
    const folder = join(place, runtime.folder);
    if (!fs.existsSync(folder)) continue;
    if (isSound(folder, runtime)) return { node: nodeIn(folder, name) };
    process.stderr.write(`${folder} is damaged, and is put aside.\n`);
    putAside(folder);
  }
  process.stderr.write(
    `Node ${current.split('.').slice(0, 2).join('.')} is older than ${FLOOR.join('.')}: installing Node ${version} for Sextant, once\n`,
  );
  let reasons = troubles.flatMap(({ place, trouble }) => (trouble ? `${place}: ${trouble}` : []));
  for (const place of usable) {
    const { node, signal, reason, isOfPlace } = await install(runtime, place);
    if (node) return { node };
    if (signal) return { problem: 'Stopped.', exitCode: 128 + signal };
    reasons = isOfPlace ? [...reasons, reason] : [reason];
    // The failure doesn't depend on the folder, so another folder would not help.
    if (!isOfPlace) break;
  }
  const why = [...new Set(reasons)].join('; ');
  return {
    problem: `Node ${version} could not be installed (${why}). Let this machine reach the npm registry, or ${instead}; an image or an offline machine runs \`npx sextant --version\` once while it is built.`,
  };
}

/** Folders for a newer Node: in the project, in the user's cache, and in a temporary folder of this user. */
function places() {
  const home = homedir();
  const caches = {
    win32: process.env.LOCALAPPDATA || join(home, 'AppData', 'Local'),
    darwin: join(home, 'Library', 'Caches'),
  };
  return [
    // If npx runs this package from its cache, install no Node in that cache. A later installation in a project would not find it there,
    // and would download the same Node again.
    ...(here.includes(`${sep}_npx${sep}`) ? [] : [projectPlace()]),
    join(caches[process.platform] || process.env.XDG_CACHE_HOME || join(home, '.cache'), 'sextant'),
    temporaryPlace(),
  ];
}

function projectPlace() {
  const [before, ...after] = here.split(`${sep}node_modules${sep}`);
  return join(after.length > 0 ? before : join(here, '..', '..', '..'), 'node_modules', '.cache', 'sextant');
}

function temporaryPlace() {
  return join(tmpdir(), `sextant-${process.getuid ? process.getuid() : userInfo().username}`);
}

/**
 * Why a newer Node must not be installed in, or run from, a folder; `undefined` if the folder may be used. The project's folder is trusted.
 * In any other folder, another user could have placed a program. Root doesn't write into another user's folder, because that user could not
 * remove the files.
 */
function troubleOf(place) {
  if (!process.getuid) return undefined;
  const user = process.getuid();
  try {
    if (user === 0 && fs.statSync(nearest(place)).uid !== 0) return 'it belongs to another user';
    const found = fs.lstatSync(place, { throwIfNoEntry: false });
    const isOwn = !found || (found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0);
    return isOwn || place === projectPlace() ? undefined : 'it is no folder of your own with mode 700';
  } catch (error) {
    return error.code;
  }
}

function nodeIn(folder, name) {
  return join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** Name of a file next to a Node that works. The file contains the size and time of the Node program at the last successful check. */
const NOTE = 'sound';

/**
 * Whether the Node in a folder works, which means that it prints its version. After a power cut, the program's file may be empty, and a
 * shell would run an empty file without an error. A Node that has printed its version is checked again only if its file's size or time has
 * changed.
 */
function isSound(folder, { name, version }) {
  const node = nodeIn(folder, name);
  const note = join(folder, NOTE);
  const { size, mtimeMs } = fs.statSync(node, { throwIfNoEntry: false }) || {};
  if (size === undefined) return false;
  const state = `${size} ${mtimeMs}\n`;
  if (fs.existsSync(note) && fs.readFileSync(note, 'utf8') === state) return true;
  if (spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() !== `v${version}`) return false;
  try {
    fs.writeFileSync(note, state);
  } catch {
    // If the note can't be written, every start checks the version again, which is only slower.
  }
  return true;
}

function putAside(folder) {
  const aside = partOf(folder);
  try {
    fs.renameSync(folder, aside);
    fs.rmSync(aside, { recursive: true, force: true });
  } catch {
    // Either another start has already moved the folder, or this user may not change it. In the second case, the installation reports the
    // problem.
  }
}

/** Writes a folder's contents to disk. Without this, a power cut may leave a folder with its final name, but with empty files. */
function flush(folder) {
  const paths = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  for (const path of [...paths, folder]) {
    try {
      const handle = fs.openSync(path, 'r');
      fs.fsyncSync(handle);
      fs.closeSync(handle);
    } catch {
      // Skip what can't be flushed: a dangling link, and on Windows every folder and every file that is open only for reading.
    }
  }
}

/** Suffix of a folder that another start of the launcher is still filling: the host and the process id of that start, and a random part. */
const PART = /\.part-(.+)-(\d+)-[\da-f]{8}$/;
const LEFT_BEHIND_MS = 3_600_000;

/**
 * A new name for a folder that is being filled. `Math.random` is enough for its suffix, and loading `node:crypto` would slow down every
 * start on an older Node.
 */
function partOf(folder) {
  return `${folder}.part-${hostname()}-${process.pid}-${Math.random().toString(16).padEnd(10, '0').slice(2, 10)}`;
}

/** Installs into a folder next to the final one, and then renames it, so that a folder with the final name is always complete. */
async function install(runtime, place) {
  const target = join(place, runtime.folder);
  const fresh = partOf(target);
  let lastSignal;
  let npm;
  const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
  // If the starter has ended, `end-with-starter.js` calls this listener, but without the name of a signal.
  const stop = (signal = 'SIGTERM') => {
    lastSignal = signals[signal];
    if (npm) npm.kill('SIGTERM');
  };
  for (const signal of Object.keys(signals)) process.on(signal, stop);
  try {
    try {
      fs.mkdirSync(place, { recursive: true, mode: place === projectPlace() ? 0o777 : 0o700 });
      // Another user may have created the folder after the first check, so check again.
      const trouble = troubleOf(place);
      if (trouble) return { reason: `${place}: ${trouble}`, isOfPlace: true };
      removeLeftovers(place);
      fs.cpSync(runtime.lock, fresh, { recursive: true });
    } catch (error) {
      return { reason: `${place}: ${error.code}`, isOfPlace: true };
    }
    const { npmrc, env } = npmSettings(fresh);
    if (npmrc) fs.writeFileSync(join(fresh, '.npmrc'), npmrc, { mode: 0o600 });
    const ran = await new Promise((done) => {
      const [file, args, shell] = npmCommand();
      let said = '';
      npm = spawn(file, args, { cwd: fresh, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (text) => (said += text));
      npm.on('error', (error) => done(`npm could not be started: ${error.code}`));
      npm.on('close', () => done(said));
      if (lastSignal) npm.kill('SIGTERM');
    });
    if (lastSignal) return { signal: lastSignal };
    // The file may contain a token of the user's npm settings, so remove it.
    fs.rmSync(join(fresh, '.npmrc'), { force: true });
    // Removes npm's cache and the C headers (a third of Node's size), because nothing here needs them.
    for (const name of ['npm-cache', join('node_modules', runtime.name, 'include')])
      fs.rmSync(join(fresh, name), { recursive: true, force: true });
    const trouble = troubleOf(place);
    if (trouble) return { reason: `${place}: ${trouble}`, isOfPlace: true };
    // npm may exit with 0 although it has installed nothing, or has installed a program that this machine can't run.
    if (!isSound(fresh, runtime)) {
      const isOfPlace = spawnSync(nodeIn(fresh, runtime.name), ['--version']).error?.code === 'EACCES';
      return { reason: isOfPlace ? `${place}: programs can't run there` : reasonIn(ran), isOfPlace };
    }
    flush(fresh);
    try {
      fs.renameSync(fresh, target);
    } catch {
      // Another start of the launcher was faster. Its folder is as complete as this one, so use that folder.
    }
    return !troubleOf(place) && isSound(target, runtime)
      ? { node: nodeIn(target, runtime.name) }
      : { reason: `${target} can't be made`, isOfPlace: true };
  } finally {
    try {
      fs.rmSync(fresh, { recursive: true, force: true });
    } catch {
      // This user can't remove anything from the folder, so npm can't have written anything into it either.
    }
    for (const signal of Object.keys(signals)) process.off(signal, stop);
  }
}

/** Removes the folders of earlier starts that somebody killed during the installation. */
function removeLeftovers(place) {
  for (const name of fs.readdirSync(place)) {
    const [, host, pid] = PART.exec(name) || [];
    if (!host) continue;
    const path = join(place, name);
    const isOld = Date.now() - fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs > LEFT_BEHIND_MS;
    if (isOld || (host === hostname() && !isAlive(Number(pid)))) fs.rmSync(path, { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The npm that belongs to this Node, otherwise the one on PATH. */
function npmCommand() {
  const reach = '--fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=20000 --prefer-offline';
  // The options from `--no-bin-links` on override npm settings of the user.
  const args = `ci ${reach} --no-bin-links --ignore-scripts --no-audit --no-fund --no-dry-run --no-global --no-workspaces`;
  const folder = dirname(process.execPath);
  const own = [join(folder, '..', 'lib'), folder]
    .map((place) => join(place, 'node_modules', 'npm', 'bin', 'npm-cli.js'))
    .find((path) => fs.existsSync(path));
  if (own) return [process.execPath, [own, ...args.split(' ')], false];
  return ['npm', args.split(' '), process.platform === 'win32'];
}

/**
 * The settings of npm that may be needed to reach a registry. npm gets no others, because they could change what it installs, and where.
 */
const REACHES = /^(registry|https?[-_]proxy|proxy|no[-_]?proxy|ca|cafile|strict[-_]ssl|userconfig|globalconfig|\/\/.*)$/i;

/** The environment for npm, and the lines of the project's `.npmrc` that are needed to reach a registry. */
function npmSettings(fresh) {
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    const [, setting] = /^npm_config_(.*)$/i.exec(name) || [];
    if (setting ? REACHES.test(setting) : !/^npm_/i.test(name)) env[name] = value;
  }
  const cache = process.env.npm_config_cache || join(homedir(), '.npm');
  env.npm_config_cache = isWritable(cache) ? cache : join(fresh, 'npm-cache');
  const project = process.env.npm_config_local_prefix || process.cwd();
  const path = join(project, '.npmrc');
  const lines = fs.existsSync(path) && fs.statSync(path).isFile() ? fs.readFileSync(path, 'utf8').split(/\r?\n/) : [];
  return { env, npmrc: lines.filter((line) => REACHES.test(line.split('=')[0].trim())).join('\n') };
}

/** Whether a folder can be written or, if it doesn't exist, created. */
function isWritable(path) {
  try {
    fs.accessSync(nearest(path), fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path, or the nearest folder above it that exists. */
function nearest(path) {
  return fs.existsSync(path) ? path : nearest(dirname(path));
}

/** npm's message about its failure, without the paths of its log. */
function reasonIn(said) {
  const lines = said
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .filter((line) => line !== '' && !/^(A complete log|Log files|verbose|.*_logs)/.test(line));
  const code = lines.find((line) => line.startsWith('code '))?.slice('code '.length);
  const text = lines.find((line) => !/^(code|errno|syscall|path|network$|dest) ?/.test(line));
  return [code, text].filter(Boolean).join(': ').slice(0, 300) || 'npm ended without a word';
}

// `sextant-node file.ts …` runs a script of this project on a Node that is new enough, even if npm uses an older one.
if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [file, ...args] = process.argv.slice(2);
  await runOnEnough(file, args);
}
