// Each function changes what one event says, and nothing else of the page.

const MOST_CARDS = 8;
const words = { up: 'Up', degraded: 'Degraded', down: 'Down', unjudged: 'Not judged', unknown: 'Unknown', pending: 'Not run yet', skipped: 'Skipped' };

/** The state of a scenario changed, and with it those of its area, its environment and of everything. */
export function applyFlip({ i, s, b, n, l, e, a, as, ac, es, ec, h, w }) {
  headline(h, w);
  const area = document.getElementById(`area-${e}-${a}`);
  if (area) {
    paint(area.querySelector('summary .state'), as);
    area.querySelector('summary .counts').textContent = ac;
    if (b) area.open = true;
  }
  const environment = document.getElementById(`environment-${e}`);
  if (environment?.tagName === 'LI') environment.className = es;
  const counts = environment?.querySelector('.counts');
  if (counts) counts.textContent = ec;
  const line = document.getElementById(`s${i}`) ?? (b && area ? addLine(area, i, n, l) : undefined);
  if (!line) return;
  line.className = `line ${s}`;
  paint(line.querySelector('.state'), s, words[s]);
  line.querySelector('.retried')?.remove();
}

/** The figures of a line. */
export function applyFigures({ i, u, p }) {
  const line = document.getElementById(`s${i}`);
  if (!line) return;
  line.querySelector('.uptime').textContent = u;
  line.querySelector('.p95').textContent = p;
}

/** An incident opened, changed or ended. */
export function applyIncident(incident) {
  const section = document.getElementById('problems');
  if (!section) return;
  const before = document.getElementById(`incident-${incident.id}`);
  const wasOpen = before?.querySelector('details')?.open ?? false;
  before?.remove();
  if (incident.title !== undefined) {
    const card = cardOf(incident, wasOpen);
    const next = [...section.querySelectorAll('.problem')].find((other) => Number(other.dataset.count) <= incident.count);
    section.insertBefore(card, next ?? document.getElementById('more-problems'));
  }
  const cards = [...section.querySelectorAll('.problem')];
  for (const card of cards.slice(MOST_CARDS)) card.remove();
  const more = incident.open - Math.min(cards.length, MOST_CARDS);
  const link = document.getElementById('more-problems');
  link.hidden = more <= 0;
  link.firstElementChild.textContent = `${more} more open ${more === 1 ? 'incident' : 'incidents'}`;
  section.hidden = incident.open === 0;
}

function cardOf({ id, title, state, reason, curl, since, count, scenarios, path }, isOpen) {
  const card = document.getElementById('problem').content.firstElementChild.cloneNode(true);
  const find = (selector) => card.querySelector(selector);
  card.id = `incident-${id}`;
  card.dataset.count = count;
  card.className = `problem ${state}`;
  paint(find('.state'), state);
  find('h2 a').textContent = title;
  find('h2 a').href = path;
  if (reason === undefined) find('.reason')?.remove();
  else find('.reason').textContent = reason;
  find('time').dateTime = new Date(since).toISOString();
  find('time').textContent = `${new Date(since).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  find('.count').textContent = `${count} ${count === 1 ? 'scenario' : 'scenarios'}`;
  find('.names').replaceChildren(...namesOf(scenarios, count));
  if (curl === undefined) find('details')?.remove();
  else find('code').textContent = curl;
  if (isOpen && curl !== undefined) find('details').open = true;
  return card;
}

function namesOf(scenarios, count) {
  const links = scenarios.flatMap(({ title, path }, index) => [...(index > 0 ? [', '] : []), link(path, title)]);
  return count > scenarios.length ? [...links, ` and ${count - scenarios.length} more`] : links;
}

function addLine(area, id, name, path) {
  const line = document.getElementById('line').content.firstElementChild.cloneNode(true);
  line.id = `s${id}`;
  line.querySelector('a').href = path;
  line.querySelector('a').textContent = name;
  area.querySelector('.lines').prepend(line);
  return line;
}

function link(path, text) {
  const anchor = document.createElement('a');
  anchor.href = path;
  anchor.textContent = text;
  return anchor;
}

function headline(text, state) {
  const banner = document.getElementById('headline');
  if (banner.textContent.trim() === text) return;
  banner.className = `banner ${state}`;
  paint(banner.querySelector('.state'), state, text);
  document.title = `${text} · Sextant`;
  document.getElementById('announce').textContent = text;
}

/** Shows a state; its words stay those that they are, unless there are others. */
function paint(element, state, text) {
  element.className = `state ${state}`;
  element.querySelector('use').setAttribute('href', `#is-${state}`);
  if (text !== undefined) element.querySelector('span').textContent = text;
}
