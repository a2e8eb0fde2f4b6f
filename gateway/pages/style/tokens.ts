/** Names for every colour, size and distance that the sheet uses, for light and for dark surroundings. */
export const TOKENS = `
:root {
  color-scheme: light dark;
  --ground: #f5f6f8;
  --surface: #ffffff;
  --raised: #eef1f5;
  --ink: #16191f;
  --soft: #525a68;
  --line: #d5dae2;
  --edge: #838c9b;
  --accent: #1f5fbf;
  --accent-ink: #ffffff;
  --accent-wash: #e7effb;
  --good: #17703a;
  --good-wash: #e3f4e9;
  --bad: #b0231b;
  --bad-wash: #fdeaea;
  --warn: #855400;
  --warn-wash: #fdf1db;
  --shade: 0 1px 2px rgb(16 24 40 / 6%), 0 1px 6px rgb(16 24 40 / 5%);
  --text: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --tiny: 0.25rem;
  --small: 0.5rem;
  --mid: 1rem;
  --large: 1.5rem;
  --huge: 2.5rem;
  --round: 0.5rem;
  --reach: 2.75rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101318;
    --surface: #181c23;
    --raised: #222831;
    --ink: #e9ecf2;
    --soft: #a5aebc;
    --line: #2f3743;
    --edge: #737e8f;
    --accent: #8db8ff;
    --accent-ink: #0b1628;
    --accent-wash: #1c2a42;
    --good: #74d69a;
    --good-wash: #143223;
    --bad: #ff9a92;
    --bad-wash: #41191a;
    --warn: #f0bd62;
    --warn-wash: #38290d;
    --shade: none;
  }
}
`
