const FIGURES_MS = 60_000;
/** Between two loads: where something changes all the time, an open page still costs less than 50 MB a day. */
const LEAST_MS = 10_000;

/** Follows the monitor: the page is loaded anew, in place, when a state changed, and once a minute for its figures. */
export function follow() {
  if (!shownEdition()) return;
  listen();
  setInterval(load, FIGURES_MS);
  document.addEventListener('visibilitychange', () => {
    listen();
    load();
  });
}

let events;

/** A page that nobody sees holds no connection: browsers have six for each host, and a seventh tab would wait for ever. */
function listen() {
  events?.close();
  if (document.hidden) return;
  events = new EventSource(new URL('../events', import.meta.url));
  events.addEventListener('open', () => show('on', 'live'));
  events.addEventListener('error', () => show('lost', 'connection lost'));
  events.addEventListener('message', ({ data }) => {
    edition = data;
    if (data !== shownEdition()) load();
  });
}

function shownEdition() {
  return document.getElementById('main').dataset.edition;
}

function show(state, text) {
  const live = document.getElementById('live');
  live.dataset.state = state;
  live.textContent = text;
}

/** That of the monitor; a page may be drawn just before. */
let edition;
let isLoading = false;
let isStale = false;

/** A page that nobody sees waits until somebody does, and what somebody is typing or choosing must not be lost. */
function mayLoad() {
  return !document.hidden && ![...document.querySelectorAll('#main :is(input, textarea, select)')].some(isChanged);
}

function isChanged({ value, defaultValue, options, selectedIndex }) {
  if (!options) return value !== defaultValue;
  // Without a default the first one is chosen.
  return selectedIndex !== Math.max(0, [...options].findIndex(({ defaultSelected }) => defaultSelected));
}

/** Loads the page anew in place. */
async function load() {
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  while (isStale && mayLoad()) {
    isStale = false;
    try {
      const response = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'reload' });
      if (response.ok) {
        replace(new DOMParser().parseFromString(await response.text(), 'text/html'));
        // After an error status a browser doesn't try again by itself; where the page is not to be had, the stream isn't either.
        if (events.readyState === EventSource.CLOSED) listen();
      }
    } catch {
      // The connection is lost: the stream says so, and tells the edition when it is back.
    }
    await new Promise((resolve) => setTimeout(resolve, LEAST_MS));
    isStale ||= edition !== undefined && edition !== shownEdition();
  }
  isLoading = false;
}

/** What is open stays open, what has the focus keeps it, and only a change of the headline is read out. */
function replace(next) {
  const main = document.getElementById('main');
  const headline = main.querySelector('h1')?.textContent;
  const before = foldsOf(main);
  const focused = main.contains(document.activeElement) ? pathTo(main, document.activeElement) : undefined;
  main.replaceWith(next.getElementById('main'));
  const now = document.getElementById('main');
  for (const [key, { details, text }] of foldsOf(now)) {
    const was = before.get(key);
    // One that says something new comes as the monitor has it: unfolded where something is bad.
    if (was && (was.text === text || was.isOpen)) details.open = was.isOpen;
  }
  if (focused) focused.reduce((node, index) => node?.children[index], now)?.focus({ preventScroll: true });
  document.querySelector('footer').replaceWith(next.querySelector('footer'));
  document.title = next.title;
  const said = now.querySelector('h1')?.textContent;
  if (said && said !== headline) document.getElementById('announce').textContent = said;
}

/** Every fold, by its own id, or that of what it is in and what it says. */
function foldsOf(main) {
  return new Map(
    [...main.querySelectorAll('details')].map((details) => {
      const text = details.firstElementChild.textContent;
      return [details.id || `${details.closest('[id]').id} ${text}`, { details, text, isOpen: details.open }];
    }),
  );
}

function pathTo(root, element) {
  const path = [];
  for (let node = element; node !== root; node = node.parentElement)
    path.unshift([...node.parentElement.children].indexOf(node));
  return path;
}
