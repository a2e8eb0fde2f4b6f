/** Texts that are written to be read. */
export const ARTICLES = `
.prose { overflow-wrap: anywhere; }
.prose > p, .prose > ul, .prose > ol, .prose blockquote, .prose > .lead { max-width: 44rem; }
.prose figure { margin: 0; }
.prose ul, .prose ol { list-style-position: outside; padding-inline-start: var(--large); }
.prose > h2, .prose > h3 { margin-block-start: var(--small); }
.prose blockquote {
  margin: 0;
  padding: var(--small) var(--mid);
  border-inline-start: 4px solid var(--accent);
  background: var(--raised);
  white-space: pre-line;
}
.prose ul.cards {
  display: grid;
  gap: var(--mid);
  grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr));
  padding: 0;
  list-style: none;
}
.prose ol.sources { display: grid; gap: var(--small); }
.prose meter { width: 100%; min-width: 6rem; }
.prose meter::-webkit-meter-optimum-value { background: var(--accent); }
.prose meter::-moz-meter-bar { background: var(--accent); }
`
