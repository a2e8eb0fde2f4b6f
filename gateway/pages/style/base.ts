/** How plain elements look. */
export const BASE = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: var(--mid); }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 var(--text);
}
main {
  max-width: 72rem;
  margin: 0 auto;
  padding: var(--large) var(--mid) var(--huge);
}
main:focus { outline: none; }
h1, h2, h3 { margin: 0; line-height: 1.25; text-wrap: balance; }
h1 { font-size: 1.6rem; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; }
h3 { font-size: 1rem; }
p, ul, ol, dl, pre, table, fieldset, form { margin: 0; padding: 0; }
a { color: var(--accent); text-underline-offset: 0.18em; }
a:hover { text-decoration-thickness: 2px; }
code, pre { font: 0.9em/1.5 var(--mono); }
code { overflow-wrap: anywhere; }
pre {
  padding: var(--mid);
  overflow-x: auto;
  background: var(--raised);
  border-radius: var(--round);
}
ul, ol { list-style-position: inside; }
fieldset { min-width: 0; border: 0; }
time { font-variant-numeric: tabular-nums; }
summary { cursor: pointer; padding: var(--small) 0; color: var(--accent); }
:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 2px;
  border-radius: var(--tiny);
}
.skip, .unseen:not(:focus) {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.skip:focus {
  z-index: 2;
  top: var(--small);
  left: var(--small);
  width: auto;
  height: auto;
  padding: var(--small) var(--mid);
  overflow: visible;
  clip-path: none;
  background: var(--surface);
  border-radius: var(--round);
}
[hidden] { display: none !important; }
@media (prefers-reduced-motion: no-preference) {
  a, button, .button, input, select { transition: background-color 120ms, border-color 120ms; }
}
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none !important; transition: none !important; }
}
@media print {
  .bar, .skip, form, .actions { display: none; }
}
`
