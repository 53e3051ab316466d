import { percent } from './format.ts';
import { escapeText } from './html.ts';
import { type Shown, states } from './view.ts';

export interface BadgeInput {
  readonly label: string;
  readonly shown: Shown;
  /** Uptime of 30 days, 0 to 1. */
  readonly ratio: number | undefined;
}

export function badgeSvg({ label, shown, ratio }: BadgeInput): string {
  return badge(label, ratio === undefined ? shown : `${shown}, ${percent(ratio)} in 30 d`, shown);
}

/** A badge for a README; the text width is fixed, so it looks the same everywhere. */
export function badge(label: string, value: string, shown: Shown): string {
  const right = escapeText(value);
  const left = escapeText(label);
  const [a, b] = [label, value].map((text) => Math.round(text.length * 6.4 + 12)) as [number, number];
  const text = (at: number, width: number, what: string) =>
    `<text x="${at + width / 2}" y="14" textLength="${width - 12}" lengthAdjust="spacingAndGlyphs">${what}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${a + b}" height="20" role="img" aria-label="${left}: ${right}"><title>${left}: ${right}</title><rect width="${a}" height="20" fill="#3d444d"/><rect x="${a}" width="${b}" height="20" fill="${states[shown].colour}"/><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(0, a, left)}${text(a, b, right)}</g></svg>`;
}
