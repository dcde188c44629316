export const questionStyles = `
.video{aspect-ratio:16/9}.video iframe{width:100%;height:100%;border:0;display:block}
.q{border:0;margin:0;padding:0;min-width:0}
.in>.q{margin-top:14px}
.q>legend,.q>label{display:block;padding:0;font:500 13px/18px x;font-family:inherit;color:var(--text-2)}
.q>legend{float:left;width:100%}.q>legend+*{clear:both}
.scale{display:grid;grid-template-columns:repeat(var(--n,11),minmax(0,1fr));gap:4px;padding-top:10px}
.scale.five{--n:5}
.scale button{height:36px;border:0;border-radius:7px;background:none;box-shadow:inset 0 0 0 1px var(--control);color:var(--text);font:500 14px/20px x;font-family:inherit;font-variant-numeric:tabular-nums;padding:0;cursor:pointer}
.scale button[aria-checked=true]{background:var(--accent);color:var(--on-accent);box-shadow:none}
.ends{display:flex;justify-content:space-between;gap:12px;margin-top:6px;font-size:12px;line-height:16px;color:var(--text-2)}
.area{display:block;width:100%;margin-top:8px;border:0;border-radius:min(8px,var(--r));box-shadow:inset 0 0 0 1px var(--control);background:none;padding:8px 12px;min-height:36px;font:400 14px/20px x;font-family:inherit;color:var(--text);resize:none}
textarea.area{height:64px}
.area::placeholder{color:var(--text-2);opacity:1}
.opt{display:grid;grid-template-columns:18px minmax(0,1fr);gap:10px;align-items:center;min-height:34px;font:400 14px/20px x;font-family:inherit;color:var(--text);cursor:pointer}
.opts{padding-top:6px}
.opt input{width:18px;height:18px;margin:0;accent-color:var(--accent)}
.wrong{color:var(--text);font-weight:500;margin-top:6px}
.wrong::before{content:"! ";color:var(--accent)}
.q.bad .area,.q.bad .scale button:not([aria-checked=true]){box-shadow:inset 0 0 0 1.5px var(--text)}
@media (min-width:481px){.ask{inset-block:auto 20px;inset-inline:auto 20px;margin:0;width:min(400px,calc(100vw - 40px))}}
.ask>.in{padding:20px 24px 0}.ask>.in:last-child{padding-bottom:22px}.ask>.foot{padding:18px 22px 20px 24px}
.ask h3{font-size:17px;line-height:24px}.ask>.in>h3:first-child{padding-inline-end:28px}
@media (max-width:480px){.ask>.foot{padding-bottom:max(20px,env(safe-area-inset-bottom))}.scale:not(.five){--n:6;gap:6px}.scale button{height:44px}.opt{min-height:44px}}
@media (forced-colors:active){.scale button,.area{border:1px solid ButtonText}.scale button[aria-checked=true]{background:Highlight;color:HighlightText;forced-color-adjust:none}}
`
