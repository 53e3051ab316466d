// Changes the page as the monitor's events say. Without this script the page is as good, but stands still.
import { follow } from './follow.js';

// Every listener is the document's: the form is another one each time that the page is loaded anew.
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

follow();

// Hovering or touching a chart tells the values of the point.
document.addEventListener('pointerover', ({ target }) => {
  const title = target.closest?.('.columns rect')?.firstElementChild;
  if (title) title.closest('figure').querySelector('.pointed').textContent = title.textContent;
});
