// Keeps the page up to date. Without this script the page is as good, but stands still.

/** An open page costs less than 50 MB a day. */
const EVERY_MS = 10_000;

let isLoading = false;

/** Loads the page again, in place. A page that nobody sees waits until somebody does, and what somebody is typing or choosing must not be lost. */
async function refresh() {
  if (isLoading || document.hidden || [...document.querySelectorAll('#main :is(input, textarea, select)')].some(isChanged)) return;
  isLoading = true;
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } });
    show(response.ok ? 'on' : 'lost');
    if (response.ok) replace(new DOMParser().parseFromString(await response.text(), 'text/html'));
  } catch {
    show('lost');
  }
  isLoading = false;
}

function isChanged({ value, defaultValue, options, selectedIndex }) {
  if (!options) return value !== defaultValue;
  // Without a default the first one is chosen.
  return selectedIndex !== Math.max(0, [...options].findIndex(({ defaultSelected }) => defaultSelected));
}

function show(state) {
  const live = document.getElementById('live');
  live.dataset.state = state;
  live.textContent = state === 'on' ? 'live' : 'connection lost';
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
    // A fold that says something new comes as the monitor has it: unfolded where something is bad.
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

show('on');
setInterval(refresh, EVERY_MS);
document.addEventListener('visibilitychange', refresh);

// Every listener is the document's: the form is another one each time that the page is loaded again.
document.addEventListener('change', ({ target }) => {
  if (target.matches('.filter select')) target.form.requestSubmit();
});
// An empty field stays out of the address.
document.addEventListener('formdata', ({ target, formData }) => {
  if (target.matches('.filter')) for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
});

document.addEventListener('click', async ({ target }) => {
  if (!target.matches?.('button.copy')) return;
  const code = target.parentElement.querySelector('code');
  try {
    await navigator.clipboard.writeText(code.textContent);
    target.textContent = 'Copied';
  } catch {
    // Over plain HTTP browsers give no clipboard: the call is selected instead.
    getSelection().selectAllChildren(code);
    target.textContent = 'Selected';
  }
});

// Hovering or touching a chart tells the values of the point.
document.addEventListener('pointerover', ({ target }) => {
  const title = target.closest?.('.columns rect')?.firstElementChild;
  if (title) title.closest('figure').querySelector('.pointed').textContent = title.textContent;
});
