import { applyFigures, applyFlip, applyIncident } from './changes.js';

/** Follows the events of the monitor; `data-last` is the last one that the page holds. */
export function follow() {
  const main = document.getElementById('main');
  const { last, scenario } = main.dataset;
  if (!last) return;
  const query = new URLSearchParams({ after: last, ...(scenario ? { scenario } : {}) });
  const events = new EventSource(`/events?${query}`);
  const on = (name, apply) => events.addEventListener(name, ({ data }) => apply(JSON.parse(data)));
  events.addEventListener('open', () => show('on', 'live'));
  events.addEventListener('error', () => show('lost', 'connection lost'));
  on('stale', () => load());
  if (location.pathname === '/') {
    on('flip', applyFlip);
    on('incident', applyIncident);
    on('figures', applyFigures);
  } else {
    on('flip', () => load());
    on('incident', () => load());
    on('run', applyRun);
  }
}

function show(state, text) {
  const live = document.getElementById('live');
  live.dataset.state = state;
  live.textContent = text;
}

/** A run of the scenario that is shown: a row on top of the table. */
function applyRun({ t, v, r, s, m }) {
  const body = document.querySelector('#runs tbody');
  if (!body) return;
  const row = body.insertRow(0);
  const texts = [`${new Date(t).toISOString().slice(0, 19).replace('T', ' ')} UTC`, '—', r ? `${v}, then ${r}` : v, s ?? '—', `${m} ms`];
  for (const text of texts) row.insertCell().textContent = text;
  if (body.rows.length > 50) body.deleteRow(-1);
}

let isLoading = false;
let isStale = false;

/** What somebody is typing must not be lost. */
function isBeingWritten() {
  return [...document.querySelectorAll('#main input, #main textarea')].some(({ value, defaultValue }) => value !== defaultValue);
}

/** Loads the page anew in place; at most once in two seconds. */
async function load() {
  if (isBeingWritten()) return;
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  while (isStale) {
    isStale = false;
    try {
      // The monitor keeps pages for a second: this one must hold what was missed.
      const response = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'reload' });
      if (response.ok) replace(new DOMParser().parseFromString(await response.text(), 'text/html'));
    } catch {
      // The connection is lost: the stream says so, and catches up.
    }
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
  isLoading = false;
}

/** What is open stays open, what has the focus keeps it, and only a change of the headline is read out. */
function replace(next) {
  const main = document.getElementById('main');
  const headline = main.querySelector('h1')?.textContent;
  const open = [...main.querySelectorAll('details')].map((details) => details.open);
  const focused = main.contains(document.activeElement) ? pathTo(main, document.activeElement) : undefined;
  main.replaceWith(next.getElementById('main'));
  const now = document.getElementById('main');
  now.querySelectorAll('details').forEach((details, index) => {
    if (open[index] !== undefined) details.open = open[index];
  });
  if (focused) focused.reduce((node, index) => node?.children[index], now)?.focus({ preventScroll: true });
  document.querySelector('footer').replaceWith(next.querySelector('footer'));
  document.title = next.title;
  const said = now.querySelector('h1')?.textContent;
  if (said && said !== headline) document.getElementById('announce').textContent = said;
}

function pathTo(root, element) {
  const path = [];
  for (let node = element; node !== root; node = node.parentElement)
    path.unshift([...node.parentElement.children].indexOf(node));
  return path;
}
