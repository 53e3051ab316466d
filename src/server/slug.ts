/** Converts a title to a part of an address: `block, then list, then unblock` becomes `block-then-list-then-unblock`. */
export function slugOf(title: string): string {
  const plain = title.normalize('NFKD').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'scenario';
}
