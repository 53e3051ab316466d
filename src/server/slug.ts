/** `block, then list, then unblock` is `block-then-list-then-unblock`. */
export function slugOf(title: string): string {
  const plain = title.normalize('NFKD').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'scenario';
}
