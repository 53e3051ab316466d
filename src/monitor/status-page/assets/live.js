// Fetches the page anew when the monitor says that something changed. Without it the page is as good, but stands still.
const live = document.getElementById('live');
const announce = document.getElementById('announce');

function show(state, text) {
  live.dataset.state = state;
  live.textContent = text;
}

let isLoading = false;
let isStale = false;

/** What somebody is typing must not be lost. */
function isBeingWritten() {
  return [...document.querySelectorAll('#main input, #main textarea')].some(({ value, defaultValue }) => value !== defaultValue);
}

async function refresh() {
  if (isBeingWritten()) return;
  if (isLoading) {
    isStale = true;
    return;
  }
  isLoading = true;
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (response.ok) replace(new DOMParser().parseFromString(await response.text(), 'text/html'));
  } finally {
    isLoading = false;
    if (isStale) {
      isStale = false;
      refresh();
    }
  }
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
  if (said && said !== headline) announce.textContent = said;
}

function pathTo(root, element) {
  const path = [];
  for (let node = element; node !== root; node = node.parentElement)
    path.unshift([...node.parentElement.children].indexOf(node));
  return path;
}

const events = new EventSource('/events');
events.addEventListener('open', () => {
  show('on', 'live');
  refresh();
});
events.addEventListener('error', () => show('lost', 'connection lost'));
events.addEventListener('change', refresh);
