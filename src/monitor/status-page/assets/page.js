// Keeps the page up to date. Without this script, the page shows the same contents, but doesn't update itself.

/** Time between two updates, in ms. With this value, an open page transfers less than 50 MB a day, even while 100 environments are down. */
const EVERY_MS = 15_000;

let isLoading = false;

/**
 * Reloads the page in place. A hidden page waits until somebody sees it. If the reader is typing or choosing something, the reload is skipped, so
 * that no input is lost.
 */
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
  // Without a default, a browser selects the first option.
  return selectedIndex !== Math.max(0, [...options].findIndex(({ defaultSelected }) => defaultSelected));
}

function show(state) {
  const live = document.getElementById('live');
  live.dataset.state = state;
  live.textContent = state === 'on' ? 'live' : 'connection lost';
}

/**
 * Replaces the content of the page. Open `details` stay open, the focus stays where it is, and screen readers announce only a change of the
 * headline.
 */
function replace(next) {
  const main = document.getElementById('main');
  const headline = main.querySelector('h1')?.textContent;
  const before = foldsOf(main);
  const focused = main.contains(document.activeElement) ? pathTo(main, document.activeElement) : undefined;
  main.replaceWith(next.getElementById('main'));
  const now = document.getElementById('main');
  for (const [key, { details, text }] of foldsOf(now)) {
    const was = before.get(key);
    // An element stays open if the reader has opened it, and stays closed if its text is the same. If the text of a closed element has
    // changed, the new page decides whether it is open.
    if (was && (was.text === text || was.isOpen)) details.open = was.isOpen;
  }
  if (focused) focused.reduce((node, index) => node?.children[index], now)?.focus({ preventScroll: true });
  document.querySelector('footer').replaceWith(next.querySelector('footer'));
  document.title = next.title;
  const said = now.querySelector('h1')?.textContent;
  if (said && said !== headline) document.getElementById('announce').textContent = said;
}

/**
 * Every `details` element, by its own id. For an element without an id, the key is the id of the surrounding element and the text of the
 * summary.
 */
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

// All listeners are on the document, because each reload replaces the form.
document.addEventListener('change', ({ target }) => {
  if (target.matches('.filter select')) target.form.requestSubmit();
});
// Leave empty fields out of the address.
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
    // Over plain HTTP, a browser doesn't offer access to the clipboard, so select the command instead.
    getSelection().selectAllChildren(code);
    target.textContent = 'Selected';
  }
});

// Hovering over a chart, or touching it, shows the values of the point.
document.addEventListener('pointerover', ({ target }) => {
  const title = target.closest?.('.columns rect')?.firstElementChild;
  if (title) title.closest('figure').querySelector('.pointed').textContent = title.textContent;
});
