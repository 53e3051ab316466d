import { readFileSync } from 'node:fs';

// Plain JavaScript, because this must run on the oldest Node that can install the project.

/** Interval of the checks, in ms. */
const EVERY_MS = 250;

/** Time limit for the clean-up of a run, in ms, from the query of this module's URL; 0: no limit. */
const graceMs = Number(new URL(import.meta.url).searchParams.get('graceMs'));

// This program ends, with its clean-up, when the process that started it ends, for whatever reason: npm passes no signals on, and nobody
// can pass a kill on. A shell may be between npm and this process, so the program watches the chain of its parents up to npm. If it has an
// IPC channel to its starter, as a run of Playwright has, it only watches this channel. It polls the channel, because a listener would keep
// the process alive.
const starters = process.connected ? [] : startersOf(process.env, process.ppid);
if (process.connected || starters.length > 0) {
  const isOver = process.connected
    ? () => !process.connected
    : () => starters.some((pid, index) => parentOf(starters[index - 1]) !== pid);
  const timer = setInterval(() => {
    if (!isOver()) return;
    clearInterval(timer);
    end(starters.length > 0 ? 'SIGTERM' : 'SIGINT');
    // Usually, the starter kills a run whose clean-up takes too long. The starter has ended, so the run kills itself.
    if (graceMs > 0) setTimeout(killRun, graceMs).unref();
  }, EVERY_MS).unref();
}

/** Kills the run: this process is the leader of a process group, to which its workers belong. */
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
 * The process id of the parent of process `pid`, by default of this process; 0 if it is unknown. If a parent ends, the system gives the
 * process another parent.
 */
function parentOf(pid) {
  if (pid === undefined) return process.platform === 'win32' && !exists(process.ppid) ? 0 : process.ppid;
  const stat = read(pid, 'stat');
  // The name of the program is in brackets, and may contain anything. After it come the state and the parent's id (proc_pid_stat(5)).
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

/** Whether a process exists. On Windows, only this shows that the parent has ended, because an orphan keeps its parent's id. */
function exists(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/**
 * Reads a file about a process from /proc. Without /proc, on other systems than Linux, it returns an empty text, so there only the parent
 * is watched.
 */
function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
