/** Buttons, fields, and the editor of lines. */
export const FORMS = `
button, .button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-height: var(--reach);
  padding: var(--small) var(--mid);
  border: 1px solid var(--edge);
  border-radius: var(--round);
  background: var(--surface);
  color: var(--ink);
  font: 600 0.95rem/1.2 var(--text);
  text-decoration: none;
  cursor: pointer;
}
button:hover, .button:hover { background: var(--raised); }
.first { border-color: var(--accent); background: var(--accent); color: var(--accent-ink); }
.first:hover { background: var(--accent); text-decoration: underline; }
.grave { border-color: var(--bad); color: var(--bad); }
.grave:hover { background: var(--bad-wash); }
.light { border-color: transparent; background: transparent; color: var(--accent); }
label, .label { display: block; font-weight: 600; font-size: 0.9rem; }
input, select, textarea {
  width: 100%;
  min-height: var(--reach);
  padding: var(--small) 0.7rem;
  border: 1px solid var(--edge);
  border-radius: var(--round);
  background: var(--surface);
  color: var(--ink);
  font: 1rem/1.4 var(--text);
}
input.code, textarea.code { font-family: var(--mono); font-size: 0.95rem; }
input::placeholder { color: var(--soft); opacity: 1; }
[aria-invalid='true'] { border-color: var(--bad); border-width: 2px; }
.fault { color: var(--bad); font-size: 0.92rem; overflow-wrap: anywhere; }
.help { color: var(--soft); font-size: 0.88rem; }
.field { display: grid; gap: var(--tiny); align-content: start; min-width: 0; }
.actions { display: flex; flex-wrap: wrap; gap: var(--small); align-items: center; }
.filters { display: grid; gap: var(--mid); grid-template-columns: repeat(auto-fit, minmax(min(11rem, 42vw), 1fr)); align-items: end; }
.rows { display: grid; gap: var(--mid); list-style: none; }
.row {
  display: grid;
  gap: var(--small) var(--mid);
  padding: var(--mid);
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: var(--round);
  box-shadow: var(--shade);
}
.row-head { display: flex; gap: var(--mid); align-items: baseline; justify-content: space-between; }
.row-head h2 { font-size: 1rem; }
.row-head button { min-height: 2.25rem; padding: var(--tiny) var(--small); }
.row-fields { display: grid; gap: var(--small) var(--mid); grid-template-columns: auto minmax(0, 1fr); align-items: end; }
.row-fields.about { grid-template-columns: minmax(0, 1fr); }
.op, select.op { font-family: var(--mono); }
code.op { display: flex; align-items: center; min-height: var(--reach); min-width: 1.5rem; color: var(--soft); }
.kinds { display: flex; flex-wrap: wrap; gap: var(--small); list-style: none; }
.kinds button { font-family: var(--mono); font-weight: 400; }
@media (min-width: 40rem) {
  .row-fields.about { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) 6.5rem minmax(0, 1fr); }
}
`
