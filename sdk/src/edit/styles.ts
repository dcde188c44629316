/** Our own controls in the page: the bar, the outline and the label. They have our colours, not those of a theme. */
export const editStyles = `
:host{--u-bg:#fff;--u-text:#17181c;--u-2:#5b606b;--u-line:#e2e4e9;--u-soft:#f1f2f4;--u-ok:#177245;--u-bad:#c0362c;--u-warn:#8a5200;--u-ink:#17181c;--u-on:#fff;--u-sel:#eaeefd;--u-link:#3451d1}
:host([data-mode=dark]){--u-bg:#1b1d22;--u-text:#eceef2;--u-2:#a4a8b4;--u-line:#2f323a;--u-soft:#262931;--u-ok:#66c795;--u-bad:#ff8f86;--u-warn:#e9b35a;--u-ink:#eceef2;--u-on:#17181c;--u-sel:#262e52;--u-link:#9db0ff}
svg.marks{position:fixed;inset:0;width:100%;height:100%;pointer-events:none}
.marks rect{fill:none;stroke:#3f5fe6;stroke-width:1;stroke-dasharray:4 3;rx:4}
.marks rect.on{stroke-width:2;stroke-dasharray:none;fill:rgb(63 95 230 / .1)}
.marks rect.frame{stroke:none;pointer-events:all}
.name{position:fixed;left:var(--lx,0);top:var(--ly,0);height:22px;padding:0 7px;border-radius:4px;background:#3451d1;color:#fff;font:500 12px/22px ui-monospace,Menlo,Consolas,monospace;white-space:nowrap;pointer-events:none}
.name em{font-style:normal;opacity:.85;margin-inline-start:8px}
.bar{position:fixed;left:50%;bottom:28px;transform:translateX(-50%);width:min(912px,calc(100vw - 48px));max-height:calc(100dvh - 56px);overflow:auto;pointer-events:auto;background:var(--u-bg);color:var(--u-text);border-radius:14px;box-shadow:0 24px 64px -16px rgb(18 19 23 / .35),0 0 0 1px color-mix(in srgb,var(--u-text) 12%,transparent);font:400 13px/20px system-ui,sans-serif;text-align:start}
.bar.up{bottom:auto;top:28px}
.row{display:flex;align-items:center;gap:12px;padding:14px 16px}
.row+.row{border-top:1px solid var(--u-line);padding:10px 16px;align-items:stretch}
.bar b{font-weight:600}.bar p{margin:0;color:var(--u-2);text-wrap:auto}
.mark{width:20px;height:20px;flex:none}.mark path{fill:var(--u-ink)}.mark circle{fill:#3f5fe6}
.words{flex:1;min-width:0}.end{margin-inline-start:auto;display:flex;gap:8px;flex:none;align-items:center}
.btn{min-height:32px;padding:0 12px;border-radius:8px;border:0;background:var(--u-bg);box-shadow:inset 0 0 0 1px color-mix(in srgb,var(--u-text) 22%,transparent);color:var(--u-text);font:500 13px/20px system-ui,sans-serif;cursor:pointer}
.btn.main{background:var(--u-ink);color:var(--u-on);box-shadow:none}.btn:disabled{opacity:.45;cursor:default}
.btn:focus-visible,input:focus-visible,.alts:focus-visible,.pencil:focus-visible{outline:2px solid #3f5fe6;outline-offset:2px}
dl{display:grid;grid-template-columns:64px minmax(0,1fr);gap:8px 12px;margin:0;flex:1;min-width:0;align-items:center;align-content:start}
dt{color:var(--u-2)}dd{margin:0;min-width:0;display:flex;gap:6px 16px;flex-wrap:wrap;align-items:center;overflow-wrap:anywhere}
input,.mono{font:400 12px/18px ui-monospace,Menlo,Consolas,monospace}
input{width:100%;height:30px;padding:0 9px;border:1px solid color-mix(in srgb,var(--u-text) 22%,transparent);border-radius:7px;background:var(--u-soft);color:var(--u-text)}
.ok{color:var(--u-ok);font-weight:500}.bad{color:var(--u-bad);font-weight:500}.warn{color:var(--u-warn)}.t2{color:var(--u-2)}
.tag{padding:0 6px;border-radius:4px;background:var(--u-soft);font:400 12px/20px ui-monospace,Menlo,Consolas,monospace}.tag.on{background:var(--u-sel);color:var(--u-link)}
.receipt{flex-direction:column;gap:2px !important;max-height:220px;overflow:auto}.receipt ol{margin:6px 0 0;padding:0;list-style:none}.receipt li{padding:2px 0}.receipt li ul{margin:0;padding-inline-start:20px;color:var(--u-2)}.receipt summary{cursor:pointer;color:var(--u-link);width:max-content}.receipt summary:focus-visible{outline:2px solid #3f5fe6;outline-offset:2px}
.inside{gap:4px}
.field{position:relative}.field input{padding-inline-end:34px}
.pencil{position:absolute;inset-inline-end:3px;top:3px;width:24px;height:24px;padding:4px;border:0;border-radius:5px;background:none;cursor:pointer}.pencil:hover{background:var(--u-line)}
.pencil svg{display:block;width:16px;height:16px;fill:none;stroke:var(--u-2);stroke-width:1.4;stroke-linejoin:round}
.state{display:inline-flex;align-items:center;gap:7px}.state svg{width:10px;height:10px;flex:none;fill:currentColor}
.keys{font-size:12px;margin-inline-start:8px}kbd{display:inline-block;min-width:18px;padding:0 4px;border-radius:4px;box-shadow:inset 0 0 0 1px color-mix(in srgb,var(--u-text) 22%,transparent);font:400 11px/18px system-ui,sans-serif;text-align:center}
.alts{width:264px;flex:none;border-inline-start:1px solid var(--u-line);padding-inline-start:16px;max-height:160px;overflow:auto;font-size:12px}
.alts ol{margin:2px 0 0;padding:0;list-style:none;counter-reset:way}.alts li{position:relative;counter-increment:way;padding:3px 0 3px 22px;line-height:17px;color:var(--u-2);overflow-wrap:anywhere}
.alts li::before{content:counter(way);position:absolute;inset-inline-start:0;color:var(--u-2);font-size:13px;line-height:19px}
.alts li b{display:block;color:var(--u-text);font-size:13px;line-height:19px;font-weight:400}.alts li.out b{color:var(--u-2)}
[hidden]{display:none !important}
@media (max-width:720px){.bar{width:100vw;bottom:0;border-radius:16px 16px 0 0}.bar.up{top:0;border-radius:0 0 16px 16px}.row{flex-wrap:wrap}.end{width:100%}.end .btn{flex:1;min-height:44px}.bar{max-height:60dvh}dl{flex:1 0 100%}.alts{width:100%;border:0;border-top:1px solid var(--u-line);padding:8px 0 0;max-height:none}}
@media (pointer:coarse){.keys{display:none}}
@media (forced-colors:active){.bar,.btn,.name{border:1px solid ButtonText}}
`
