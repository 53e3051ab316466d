import { readFileSync } from 'node:fs';

// Plain JavaScript: this must run on the oldest Node that can install the project.

/** How often to look, in ms. */
const EVERY_MS = 250;

/** How long a run may take to clean up, in ms, as its command says behind the `?` of this file; 0: for ever. */
const graceMs = Number(new URL(import.meta.url).searchParams.get('graceMs'));

// A program that npm or the launcher started ends when they do, whatever ended them, with its clean-up: npm hands on no signal, and a
// kill can't be handed on. Between npm and this process there may be a shell, so a chain of processes is watched. A process with a
// channel to its starter, as a run of Playwright, ends with that one and with no other; it is not listened to, which would keep
// this process alive.
const starters = process.connected ? [] : startersOf(process.env, process.ppid);
if (process.connected || starters.length > 0) {
  const isOver = process.connected
    ? () => !process.connected
    : () => starters.some((pid, index) => parentOf(starters[index - 1]) !== pid);
  const timer = setInterval(() => {
    if (!isOver()) return;
    clearInterval(timer);
    end(starters.length > 0 ? 'SIGTERM' : 'SIGINT');
    // The process that would end this run has ended.
    if (graceMs > 0) setTimeout(killRun, graceMs).unref();
  }, EVERY_MS).unref();
}

/** This process is the first of its group, which its workers belong to. */
function killRun() {
  process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL');
}

/** Emitted, not sent: on Windows a process that sends itself a signal ends at once. */
function end(signal) {
  if (!process.emit(signal)) process.kill(process.pid, signal);
}

/** The parent, its parent and so on, up to the first that nothing of npm's started: npm itself. */
function startersOf(env, parent) {
  const starters = [];
  let isStarted = 'SEXTANT_LAUNCHED' in env || 'npm_execpath' in env;
  for (let pid = parent; isStarted && pid > 1; pid = parentOf(pid)) {
    starters.push(pid);
    isStarted = /(^|\0)npm_execpath=/.test(read(pid, 'environ'));
  }
  return starters;
}

/** The parent of a process, of this one by default; 0 if it can't be told. A process whose parent ended has another one. */
function parentOf(pid) {
  if (pid === undefined) return process.platform === 'win32' && !exists(process.ppid) ? 0 : process.ppid;
  const stat = read(pid, 'stat');
  // The program's name is in brackets and may contain anything; the state follows, then the parent.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

/** Windows doesn't give an orphan another parent. */
function exists(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/** Linux's record of a process; on other systems only the parent is watched. */
function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
