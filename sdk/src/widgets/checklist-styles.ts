export const checklistStyles = `
.cl{position:fixed;inset-inline-end:20px;bottom:20px;width:344px;max-width:calc(100vw - 24px);max-height:calc(100dvh - 40px);overflow:hidden;display:flex;flex-direction:column}
.left .cl,.cl.left{inset-inline:20px auto}
.cl[hidden],.pill[hidden]{display:none}
.cl>header{padding:16px 18px 14px;position:relative;flex:none}
.cl>header p{margin-top:1px;font-size:13px;line-height:18px}
.cl>header h3{padding-inline-end:28px}
.bar{display:block;width:100%;height:4px;margin-top:12px;border-radius:2px;background:var(--line);overflow:hidden}
.bar i{display:block;height:100%;width:var(--done,0%);border-radius:2px;background:var(--accent)}
.tasks{list-style:none;border-top:1px solid var(--line);padding:4px 8px 8px;overflow:auto;min-height:0}
.tasks>li+li{border-top:1px solid var(--line)}
.tasks>li>button{display:grid;grid-template-columns:20px minmax(0,1fr) 14px;gap:12px;align-items:center;width:100%;min-height:42px;padding:8px 10px;border:0;background:none;text-align:start;font:500 14px/20px x;font-family:inherit;color:var(--text);border-radius:7px;cursor:pointer}
.tasks .i{width:14px;height:14px;color:var(--text-2)}
.ck{width:20px;height:20px;border-radius:50%;box-shadow:inset 0 0 0 1.5px var(--control);display:grid;place-items:center}
.ck.y{background:var(--accent);box-shadow:none}
.tasks .ck .i{width:12px;height:12px;color:var(--on-accent);stroke-width:2}
.tasks>li>button.done{color:var(--text-2);font-weight:400}
.more{padding:0 10px 14px 42px}
:host([dir=rtl]) .more{padding:0 42px 14px 10px}
:host([dir=rtl]) .tasks>li>button[aria-expanded=false]>.i{transform:scaleX(-1)}
.more .b{margin-top:10px}
.cl>footer{border-top:1px solid var(--line);padding:6px 10px;display:flex;flex:none}
.cl>footer .b{font-size:13px;min-height:32px;padding:0 8px}
.pill{position:fixed;inset-inline-end:20px;bottom:20px;pointer-events:auto;display:inline-flex;align-items:center;gap:10px;height:44px;max-width:calc(100vw - 24px);padding:0 18px 0 10px;border:0;border-radius:22px;background:var(--bg);color:var(--text);box-shadow:var(--shadow);font:500 14px/20px x;font-family:inherit;cursor:pointer}
.pill.left{inset-inline:20px auto}
.pill b{font-weight:500;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-width:0}
.pill bdi{color:var(--text-2);font-weight:400;white-space:nowrap}
.pill svg{width:26px;height:26px;flex:none}
.pill circle{fill:none;stroke-width:3;stroke:var(--line)}
.pill .fg{stroke:var(--accent);stroke-linecap:round}
.pill:focus-visible{border-radius:22px}
@media (max-width:480px){
.cl,.cl.left{inset:auto 0 0 0;width:100vw;max-width:none;max-height:calc(100dvh - 40px);border-radius:18px 18px 0 0;padding-bottom:env(safe-area-inset-bottom)}
.tasks>li>button{min-height:50px}
.cl>footer .b{min-height:44px}
.pill{inset-inline-end:16px;bottom:max(20px,env(safe-area-inset-bottom))}.pill.left{inset-inline:16px auto}
}
@media (prefers-reduced-motion:no-preference){@keyframes rise{from{opacity:0;translate:0 8px}}.cl{animation:rise .16s ease-out}.bar i{transition:width .3s}}
@media (forced-colors:active){.ck{border:1px solid ButtonText}.ck.y,.bar i{background:Highlight;forced-color-adjust:none}.bar{background:GrayText}.pill{border:1px solid ButtonText}}
`
