import { readFileSync } from 'node:fs';

// Plain JavaScript, because the oldest Node that can install the project must be able to run this file.

/** How often this process checks whether its starter still runs, in ms. */
const EVERY_MS = 250;

/** Time limit for the clean-up of a run, in ms, from the query of this module's URL; 0: no limit. */
const graceMs = Number(new URL(import.meta.url).searchParams.get('graceMs'));

// This process ends, with its clean-up, when the process that started it (the starter) ends. It can't rely on a signal: npm passes no
// signals on, and nobody can pass on a kill.
// With an IPC channel to the starter, as in a run of Playwright, it watches the channel. It polls the channel, because a listener would
// keep the process alive.
// Without a channel, it watches its parent, the parent's parent and so on up to npm, because there may be a shell in between.
const starters = process.connected ? [] : startersOf(process.env, process.ppid);
if (process.connected || starters.length > 0) {
  const isOver = process.connected
    ? () => !process.connected
    : () => starters.some((pid, index) => parentOf(starters[index - 1]) !== pid);
  const timer = setInterval(() => {
    if (!isOver()) return;
    clearInterval(timer);
    end(starters.length > 0 ? 'SIGTERM' : 'SIGINT');
    // Usually, the starter kills a run whose clean-up takes too long. Here the starter has ended, so the run must kill itself.
    if (graceMs > 0) setTimeout(killRun, graceMs).unref();
  }, EVERY_MS).unref();
}

/** Kills the run, with its workers: this process is the leader of their process group. */
function killRun() {
  process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL');
}

/** Emits a signal instead of sending it, because on Windows a process that sends itself a signal ends at once. */
function end(signal) {
  if (!process.emit(signal)) process.kill(process.pid, signal);
}

/**
 * The process ids of the parent, its parent and so on. The last one is the first process that npm didn't start: npm itself, or the
 * launcher.
 */
function startersOf(env, parent) {
  const starters = [];
  let isStarted = 'SEXTANT_LAUNCHED' in env || 'npm_execpath' in env;
  for (let pid = parent; isStarted && pid > 1; pid = parentOf(pid)) {
    starters.push(pid);
    isStarted = /(^|\0)npm_execpath=/.test(read(pid, 'environ'));
  }
  return starters;
}

/**
 * The id of the parent of process `pid` (default: this process); 0 if the id can't be known. If a parent ends, the system gives its child
 * another parent.
 */
function parentOf(pid) {
  if (pid === undefined) return process.platform === 'win32' && !exists(process.ppid) ? 0 : process.ppid;
  const stat = read(pid, 'stat');
  // The name of the program is in brackets, and may contain any characters. The state and the parent's id follow the brackets
  // (proc_pid_stat(5)).
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

/** Whether a process exists. On Windows, only this function can show that the parent has ended: `process.ppid` stays the same. */
function exists(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/**
 * Reads a file about a process from /proc. Returns an empty text on systems other than Linux, which have no /proc; there, this process can
 * watch only its parent.
 */
function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
