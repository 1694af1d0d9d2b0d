"""How the report looks, on the screen and on paper."""

#: The table's mark, carried inside so that the report is one file.
ICON = (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'>"
    "<circle cx='32' cy='32' r='30' fill='%232d4a3a'/>"
    "<circle cx='32' cy='32' r='22' fill='%23f3ead6' stroke='%23a9812f' stroke-width='4'/>"
    "<path d='M32 3l7 10H25z' fill='%23a9812f'/><path d='M42 26a11 11 0 1 0 1 11H33' fill='none' stroke='%232d4a3a' "
    "stroke-width='5' stroke-linecap='round' stroke-linejoin='round'/></svg>"
)
STYLE = """
:root { color-scheme: light dark; --ink: #1d1b17; --paper: #fbf9f3; --faint: #d9d3c3; }
@media (prefers-color-scheme: dark) { :root { --ink: #ece7da; --paper: #1c1a16; --faint: #4a4538; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 Georgia, "Times New Roman", serif; }
main { max-width: 52rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 2.4rem; margin: 0; } h2 { margin: 2.5rem 0 .6rem; border-bottom: 2px solid var(--faint); }
.scenario { font-size: 1.3rem; font-style: italic; margin: 0 0 .6rem; }
.result { font-size: 1.2rem; font-weight: bold; }
.chip { display: inline-block; padding: 0 .5em; margin-right: .4em; border-left: .6em solid var(--side);
  background: color-mix(in srgb, var(--side) 12%, transparent); font-family: system-ui, sans-serif; font-size: .85em; }
figure { margin: 0; } svg.map { width: 100%; height: auto; display: block; }
.ground { fill: #f4efe1; } .grid { stroke: #e2dac4; stroke-width: 1; fill: none; }
.terrain { stroke: #9a927f; stroke-width: 1.5; }
.zone { fill: none; stroke-width: 2; stroke-dasharray: 10 8; opacity: .6; }
.trail { stroke-width: 3; stroke-dasharray: 2 6; stroke-linecap: round; fill: none; opacity: .8; }
.model { stroke: #fff; stroke-width: 1; } .look { stroke: #fff; stroke-width: 2.5; fill: none; }
.mark { fill: #fff; stroke: none; } .bar { stroke: #fff; stroke-width: 4; }
.fallen { stroke-width: 4; fill: none; opacity: .9; } .token { fill: #f0c419; stroke: #5d4a00; stroke-width: 1.5; }
.label { text-anchor: middle; font-family: system-ui, sans-serif; font-weight: 600; paint-order: stroke;
  stroke: #f4efe1; stroke-width: 5; stroke-linejoin: round; }
.toll { margin: .4rem 0; } ul.toll { list-style: none; padding: 0; } .note { font-size: .85rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font: .9rem/1.4 system-ui, sans-serif;
  font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--faint); }
th { vertical-align: bottom; font-size: .92em; } td.number, th.number { text-align: right; }
td:first-child { min-width: 11em; }
tr.side th { padding-top: .8rem; font-size: 1em; } tr.whole td { font-weight: bold; }
code { word-break: break-all; font-size: .8rem; }
@page { size: A4; margin: 15mm 16mm; }
@media print { :root { color-scheme: light; --ink: #1d1b17; --paper: #fff; --faint: #d9d3c3; }
  body { font-size: 10pt; line-height: 1.4; } main { max-width: none; padding: 0; }
  h1 { font-size: 24pt; } h2 { margin-top: 7mm; } .turn p { margin: 2mm 0; text-align: justify; hyphens: auto; }
  table { font-size: 9pt; } th, td { padding: .6mm 2mm; } tr.side th { padding-top: 2mm; }
  svg.map { max-height: 100mm; } figure, tr, .dice { break-inside: avoid; } p { orphans: 3; widows: 3; }
  h2, figure, .toll, thead, tr.side { break-after: avoid; } .wide { overflow: visible; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""
