/** The one stylesheet of the reference; the page's Content-Security-Policy allows it by its hash. */
export const style = `
:root { color-scheme: light dark; --text: #1c2430; --muted: #596579; --line: #dde2ea; --back: #fff; --soft: #f5f7fa; --accent: #2456c9;
  --get: #1a6e3c; --post: #2456c9; --patch: #8a5a00; --delete: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e8ef; --muted: #9aa6b8; --line: #2d3644; --back: #12161d; --soft: #1a202a; --accent: #8fb0ff;
    --get: #6fcf97; --post: #8fb0ff; --patch: #e5b55a; --delete: #ff8a80; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; color: var(--text); background: var(--back); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: .15em; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .75rem; z-index: 2; background: var(--back); padding: .25rem .5rem; }
header { position: sticky; top: 0; z-index: 1; display: flex; gap: .75rem; align-items: baseline; padding: .75rem 1.5rem;
  background: var(--back); border-bottom: 1px solid var(--line); }
header span { color: var(--muted); }
header a { margin-left: auto; }
.columns { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 82rem; margin: 0 auto; }
nav { position: sticky; top: 3.2rem; align-self: start; max-height: calc(100vh - 3.2rem); overflow: auto; padding: 1.25rem 1.5rem; font-size: .9rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { margin: .15rem 0; }
nav > ul > li { margin-top: .6rem; font-weight: 600; }
nav ul ul { font-weight: 400; padding-left: .75rem; border-left: 1px solid var(--line); }
nav a { color: inherit; text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
main { padding: 1.25rem 1.5rem 6rem; min-width: 0; border-left: 1px solid var(--line); }
main > p, section > p { max-width: 46rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: .5rem 0 1rem; }
h2 { font-size: 1.5rem; margin: 3.5rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.15rem; margin: 2.5rem 0 .25rem; }
h4 { font-size: .8rem; letter-spacing: .04em; text-transform: uppercase; color: var(--muted); margin: 1.25rem 0 .35rem; }
h4 a { text-transform: none; letter-spacing: 0; }
code, pre { font: .86em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--soft); border-radius: 4px; padding: .1em .3em; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; overflow: auto; max-height: 26rem; margin: .35rem 0 1rem; }
.route { margin: .25rem 0 .75rem; }
.route code { background: none; padding: 0; font-size: 1rem; }
.method { font: 600 .78rem/1 ui-monospace, SFMono-Regular, Menlo, monospace; border: 1px solid; border-radius: 4px; padding: .2rem .4rem; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.table { overflow-x: auto; margin: .35rem 0 .75rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th { text-align: left; color: var(--muted); font-weight: 600; }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child { min-width: 9rem; }
td:nth-child(2):not(:last-child) { min-width: 6.5rem; }
td em { color: var(--delete); font-style: normal; font-size: .8rem; }
.example { color: var(--muted); display: block; font-size: .92em; }
.example::before { content: 'e.g. '; }
.note { color: var(--muted); font-size: .92rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 52rem) {
  .columns { display: block; }
  header { padding: .75rem 1rem; }
  header span { display: none; }
  nav { position: static; max-height: none; padding: .75rem 1rem 0; }
  nav > ul { columns: 2; }
  nav > ul > li { break-inside: avoid; margin-top: 0; padding-bottom: .5rem; }
  main { border: 0; padding: .5rem 1rem 4rem; }
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td { border: 0; padding: .1rem 0; }
}
`
