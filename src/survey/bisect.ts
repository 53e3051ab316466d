/**
 * The largest accepted length from `low`, which is accepted, to `cap`; `undefined` if `cap` is accepted. Needs about
 * as many requests as the cap has binary digits.
 */
export async function largestAccepted(
  low: number,
  cap: number,
  isAccepted: (length: number) => Promise<boolean>,
): Promise<number | undefined> {
  if (await isAccepted(cap)) return undefined;
  let [accepted, refused] = [low, cap];
  while (refused - accepted > 1) {
    const middle = (accepted + refused) >> 1;
    if (await isAccepted(middle)) accepted = middle;
    else refused = middle;
  }
  return accepted;
}
