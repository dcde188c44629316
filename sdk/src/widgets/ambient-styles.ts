/** Banners and launchers. */
export const ambientStyles = `
:host(.banner){position:relative !important;z-index:var(--z) !important;margin-top:var(--below,0px) !important}
:host(.banner.bottom){position:sticky !important;bottom:0 !important;margin:0 !important}
.banner{display:flex;align-items:center;gap:12px;min-height:46px;padding:6px 46px 6px 16px;border-radius:0;box-shadow:0 1px 0 var(--line);background:var(--soft);color:var(--text)}
:host([dir=rtl]) .banner{padding:6px 16px 6px 46px}
.banner h3{font-size:14px;line-height:20px}
.banner p,.banner .list{color:var(--text)}
.banner .texts{display:flex;flex-wrap:wrap;gap:2px 12px;min-width:0}
.banner .pic{width:auto;max-width:120px;height:34px;object-fit:contain;background:none}
.banner .b{min-height:30px;padding:0 12px}
.b.line{box-shadow:inset 0 0 0 1px var(--control)}
.banner .end{margin-inline-start:auto;display:flex;gap:6px;flex:none}
.banner .x{top:8px}
.launcher{position:fixed;left:0;top:0;transform:translate(var(--x,0),var(--y,0));width:24px;height:24px;border:0;padding:0;border-radius:50%;background:none;display:inline-grid;place-items:center;cursor:pointer;pointer-events:auto;color:var(--on-accent)}
.launcher:focus-visible{border-radius:50%}
.beacon::before{content:"";width:10px;height:10px;border-radius:50%;background:var(--accent);box-shadow:0 0 0 2px var(--bg)}
.beacon::after{content:"";position:absolute;inset:1px;border-radius:50%;background:var(--accent);opacity:.22}
.icon{background:var(--accent);box-shadow:0 0 0 2px var(--bg)}
.away{visibility:hidden;pointer-events:none}
@media (prefers-reduced-motion:no-preference){@keyframes beat{0%{transform:scale(.6);opacity:.4}80%,100%{transform:scale(1.25);opacity:0}}.beacon::after{animation:beat 2.4s infinite ease-out}}
@media (max-width:480px){
.banner{flex-wrap:wrap;gap:0 12px;padding:8px 48px 8px 16px}
.banner .end{margin:0}
.banner .b{min-height:36px;padding:0;background:none;box-shadow:none;color:var(--accent);text-decoration:underline;text-underline-offset:3px}
.banner .x{top:4px}
}
@media (forced-colors:active){.beacon::before,.icon{background:Highlight;forced-color-adjust:none}.banner{border-bottom:1px solid ButtonText}}
`
