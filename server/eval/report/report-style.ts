// The look of the page: the colours of our other pages (ui/parts/tokens.css), and tables that become lists where there is no room.
export const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f2f1ed, #141516);
  --paper: light-dark(#fff, #1d1e20);
  --quiet: light-dark(#f7f7f5, #25272a);
  --text: light-dark(#1b1c1e, #ececea);
  --minor: light-dark(#55595f, #b0b4ba);
  --line: light-dark(#e3e3df, #37393d);
  --edge: light-dark(#7d8288, #7b8087);
  --good: light-dark(#116b3e, #7fd3a4);
  --good-ground: light-dark(#e7f5ec, #1d3327);
  --bad: light-dark(#b42318, #ff9d92);
  --bad-ground: light-dark(#fdf0ee, #3a2220);
  --warn: light-dark(#855600, #f0c46a);
  --warn-ground: light-dark(#fdf6e3, #342b17);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  padding: 24px 16px 48px;
  font: 14px/1.5 system-ui, sans-serif;
  color: var(--text);
  background: var(--page);
}
main { max-width: 960px; margin: 0 auto; display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; }
section, header {
  padding: 20px;
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 10px;
}
h1 { margin: 0 0 4px; font-size: 22px; line-height: 1.3; font-weight: 620; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { margin: 0 0 4px; font-size: 16px; line-height: 1.35; font-weight: 600; }
h3 { margin: 16px 0 4px; font-size: 14px; font-weight: 600; }
p { margin: 0; overflow-wrap: anywhere; }
.minor { color: var(--minor); font-size: 13px; }
.verdict { margin-top: 12px; padding: 8px 12px; border-radius: 6px; font-weight: 550; }
.verdict.passed { color: var(--good); background: var(--good-ground); }
.verdict.missed { color: var(--bad); background: var(--bad-ground); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 12px 20px; margin: 16px 0 0; }
dt { color: var(--minor); font-size: 12.5px; }
dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; margin-top: 12px; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: start; color: var(--minor); font-size: 12.5px; font-weight: 500; }
th, td { padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child > * { border-bottom: 0; }
tbody th { color: var(--text); font-size: 14px; }
tbody th .minor { display: block; max-width: 44ch; font-weight: 400; }
td.number, th.number { text-align: end; white-space: nowrap; }
.tag { display: inline-block; padding: 1px 8px; border-radius: 6px; font-size: 12.5px; font-weight: 550; white-space: nowrap; }
.tag.passed { color: var(--good); background: var(--good-ground); }
.tag.missed { color: var(--bad); background: var(--bad-ground); }
.tag.unmeasured { color: var(--warn); background: var(--warn-ground); }
svg { display: block; width: 120px; height: 22px; overflow: visible; }
.track { fill: var(--line); }
.interval { fill: var(--edge); }
.point { fill: var(--text); stroke: var(--paper); stroke-width: 1.5; }
.least { stroke: var(--text); stroke-width: 1; stroke-dasharray: 2 2; }
.failure { margin-top: 8px; padding: 10px 12px; background: var(--quiet); border-radius: 6px; }
.failure dl { grid-template-columns: 76px minmax(0, 1fr); gap: 2px 8px; margin: 4px 0 0; }
code { font: 12.5px/1.5 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 640px) {
  body { padding: 12px 8px 32px; }
  section, header { padding: 16px 14px; }
  table, tbody, th, td { display: block; }
  thead { display: none; }
  tbody tr { display: grid; grid-template-columns: 1fr 1fr 1.2fr; gap: 6px 10px; padding: 12px 0; border-bottom: 1px solid var(--line); }
  tbody tr:last-child { border-bottom: 0; padding-bottom: 0; }
  tbody th, tbody td, td.number { padding: 0; border: 0; text-align: start; }
  tbody th { grid-column: 1 / -1; }
  td[data-label]::before { content: attr(data-label); display: block; color: var(--minor); font-size: 12.5px; }
  td.wide { grid-column: span 2; }
  .failure dl { grid-template-columns: minmax(0, 1fr); }
}
@media print { body { background: none; } section, header { break-inside: avoid; } }
`
