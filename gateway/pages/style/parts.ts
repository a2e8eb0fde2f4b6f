/** What pages are put together from. */
export const PARTS = `
.bar { background: var(--surface); border-bottom: 1px solid var(--line); }
.bar-in {
  display: flex;
  flex-wrap: wrap;
  gap: var(--tiny) var(--large);
  align-items: center;
  max-width: 72rem;
  margin: 0 auto;
  padding: var(--small) var(--mid);
}
.name { display: inline-flex; gap: var(--small); align-items: center; color: var(--ink); font-weight: 700; text-decoration: none; }
.name img { display: block; width: 1.35rem; height: 1.35rem; }
.bar nav { flex: 1 1 20rem; min-width: 0; margin-inline: calc(-1 * var(--small)); }
.bar nav ul { display: flex; flex-wrap: wrap; list-style: none; }
.bar nav a {
  display: block;
  padding: var(--small);
  border-radius: var(--round);
  color: var(--soft);
  font-size: 0.95rem;
  text-decoration: none;
}
.bar nav a:hover { color: var(--ink); background: var(--raised); }
.bar nav a[aria-current] { color: var(--accent); font-weight: 600; }
.stack { display: grid; gap: var(--large); grid-template-columns: minmax(0, 1fr); }
.tight { display: grid; gap: var(--small); grid-template-columns: minmax(0, 1fr); }
.head { display: flex; flex-wrap: wrap; gap: var(--small) var(--mid); align-items: baseline; justify-content: space-between; }
.lead { color: var(--soft); max-width: 44rem; }
.card {
  display: grid;
  gap: var(--mid);
  grid-template-columns: minmax(0, 1fr);
  padding: var(--large) var(--mid);
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: calc(2 * var(--round));
  box-shadow: var(--shade);
}
.narrow { max-width: 30rem; margin-inline: auto; }
.note { padding: 0.75rem var(--mid); border-left: 4px solid var(--edge); border-radius: var(--tiny); background: var(--raised); overflow-wrap: anywhere; }
.note.good { border-color: var(--good); background: var(--good-wash); }
.note.bad { border-color: var(--bad); background: var(--bad-wash); }
.note.warn { border-color: var(--warn); background: var(--warn-wash); }
.badge {
  display: inline-block;
  padding: 0.05rem 0.5rem;
  border-radius: 1rem;
  background: var(--raised);
  color: var(--soft);
  font-size: 0.82rem;
  font-weight: 600;
  white-space: nowrap;
}
.badge.good { background: var(--good-wash); color: var(--good); }
.badge.bad { background: var(--bad-wash); color: var(--bad); }
.badge.warn { background: var(--warn-wash); color: var(--warn); }
.tiles { display: grid; gap: var(--mid); grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); }
.tile { padding: var(--mid); background: var(--surface); border: 1px solid var(--line); border-radius: var(--round); box-shadow: var(--shade); min-width: 0; }
.tile dt { color: var(--soft); font-size: 0.88rem; }
.tile dd { margin: 0; font-size: 1.3rem; font-weight: 650; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.tile dd.good { color: var(--good); }
.tile dd.bad { color: var(--bad); }
.scroll { overflow-x: auto; background: var(--surface); border: 1px solid var(--line); border-radius: var(--round); box-shadow: var(--shade); }
table { width: 100%; border-collapse: collapse; font-size: 0.94rem; }
th, td { padding: 0.6rem 0.8rem; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-size: 0.82rem; font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; white-space: nowrap; }
td code, th code { overflow-wrap: normal; }
tbody tr:last-child > * { border-bottom: 0; }
tbody tr:hover > * { background: var(--raised); }
.number { text-align: end; font-variant-numeric: tabular-nums; }
.cut { max-width: 22rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.facts { display: grid; gap: 0 var(--large); grid-template-columns: minmax(0, 1fr); }
.card > .facts { margin-block: calc(-1 * var(--small)); }
.facts > div { display: grid; gap: 0 var(--mid); padding: var(--small) 0; border-bottom: 1px solid var(--line); }
.facts > div:last-child { border-bottom: 0; }
.facts dt { color: var(--soft); font-size: 0.9rem; overflow-wrap: anywhere; }
.facts dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.facts dd code { white-space: pre-wrap; }
.lines { display: grid; gap: var(--mid); list-style: none; }
.lines > li { display: grid; gap: 0.1rem; padding-inline-start: var(--mid); border-inline-start: 3px solid var(--accent); }
.lines .says { font-weight: 550; overflow-wrap: anywhere; }
.lines > li > code { color: var(--soft); }
.tree, .tree ul { list-style: none; display: grid; gap: var(--mid); }
.tree ul { margin-block-start: var(--mid); padding-inline-start: var(--mid); border-inline-start: 2px solid var(--line); }
.keep { display: flex; gap: var(--small); align-items: start; }
.keep textarea { flex: 1; min-width: 0; max-height: 8rem; background: var(--raised); resize: vertical; word-break: break-all; field-sizing: content; }
.keep button { min-width: 6rem; }
.soft { color: var(--soft); }
.nothing { padding: var(--large); color: var(--soft); text-align: center; }
@media (max-width: 40rem) {
  .wide { display: none; }
  th, td { padding-inline: 0.6rem; }
  .bar nav a { padding-inline: 0.4rem; font-size: 0.9rem; }
  .bar nav { order: 3; flex-basis: 100%; overflow-x: auto; }
  .bar nav ul { flex-wrap: nowrap; }
  .bar nav a { white-space: nowrap; }
  .bar form { margin-inline-start: auto; }
}
@media (min-width: 40rem) {
  .card { padding: var(--large); }
  .facts > div { grid-template-columns: minmax(9rem, 16rem) minmax(0, 1fr); }
}
`
