/**
 * `font: … x; font-family: inherit`: the short form cannot say `inherit`, so the family that it names is replaced at once.
 */

/** What all widgets share: the host element, texts, buttons. Sizes and colours as drawn. Logical sides, for both directions. */
export const baseStyles = `
:host{all:initial !important;display:block !important;font-family:var(--font,inherit) !important;direction:inherit !important}
:host([popover]),:host(.layer){position:fixed !important;inset:0 !important;width:auto !important;height:auto !important;margin:0 !important;padding:0 !important;border:0 !important;background:none !important;overflow:visible !important;pointer-events:none !important;z-index:var(--z) !important;zoom:var(--zoom) !important}
:host([popover]:not(:popover-open)){display:none !important}
*,::before,::after{box-sizing:border-box}
.w{position:relative;pointer-events:auto;background:var(--bg);color:var(--text);border-radius:var(--r);box-shadow:var(--shadow);font:400 14px/21px x;font-family:inherit;text-align:start;overflow-wrap:anywhere;letter-spacing:normal}
h3,p,ul,ol{margin:0;padding:0}
h3{font:600 16px/22px x;font-family:inherit;letter-spacing:-.012em;text-wrap:balance}
h3:focus{outline:none}
p,.list{color:var(--text-2);text-wrap:pretty}
p+p,p+.list,.list+p,.list+.list{margin-top:8px}
.list{padding-inline-start:20px}
strong{font-weight:600;color:var(--text)}
code{font:400 13px/20px ui-monospace,Menlo,Consolas,monospace;background:var(--soft);border-radius:4px;padding:0 4px}
a{color:var(--accent);text-underline-offset:3px}
hr{border:0;border-top:1px solid var(--line);margin:12px 0}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:7px}
.w:focus-visible{border-radius:var(--r)}.b:focus-visible{border-radius:min(8px,var(--r))}
.i{width:15px;height:15px;fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round;flex:none}
.b{display:inline-flex;align-items:center;justify-content:center;min-height:34px;max-width:100%;padding:4px 14px;border:0;border-radius:min(8px,var(--r));background:none;color:var(--text);font:500 14px/20px x;font-family:inherit;cursor:pointer}
.b:hover,.x:hover{background-color:color-mix(in srgb,var(--text) 8%,transparent)}
.b.main{background:var(--accent);color:var(--on-accent)}
.b.main:hover{background:var(--accent-hover)}
.b.quiet{color:var(--text-2)}
.x{position:absolute;z-index:1;inset-inline-end:8px;top:8px;width:30px;height:30px;border:0;border-radius:7px;background:none;padding:0;display:grid;place-items:center;color:var(--text-2);cursor:pointer}
.said{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (max-width:480px){
.b{min-height:44px}
.x{width:44px;height:44px;inset-inline-end:4px;top:4px;border-radius:50%;background-clip:content-box;padding:5px}
}
@media (forced-colors:active){
.w,.b,.x:hover{border:1px solid ButtonText}
.b.main{background:Highlight;color:HighlightText;forced-color-adjust:none}
:focus-visible{outline-color:Highlight}
}
@media print{:host{display:none !important}}
`

/** Tooltips and dialogs. The middle scrolls, the buttons stay. */
export const stepStyles = `
.card{display:flex;flex-direction:column;max-height:min(var(--mh,100dvh),calc(100dvh - 24px))}
.in{overflow:auto;overscroll-behavior:contain;min-height:0}
.in>*+*{margin-top:8px}.in>h3+p,.in>h3+.list{margin-top:4px}.in>hr{margin:12px 0}
.foot{display:flex;flex-wrap:wrap;align-items:center;gap:6px;flex:none}
.foot .end{margin-inline-start:auto;display:flex;flex-wrap:wrap;justify-content:flex-end;gap:4px;align-items:center;max-width:100%}
.prog{display:inline-flex;gap:4px;align-items:center;max-width:100%}
.prog i{width:14px;height:3px;border-radius:2px;background:var(--line)}
.prog i.y{background:var(--accent)}
.pic{display:block;width:100%;height:168px;object-fit:cover;background:var(--soft)}
.tip{position:fixed;left:0;top:0;width:316px;max-width:calc(100vw - 24px);transform:translate(var(--x,0),var(--y,0));transition:opacity .12s}
.tip>.in{padding:16px 18px 0}
.tip>.in:last-child{padding-bottom:16px}
.tip>.foot{padding:14px 16px 14px 18px}
.tip h3:first-of-type{padding-inline-end:26px}
.tip>.in>:is(.pic,.video):first-child{margin:-16px -18px 14px;width:calc(100% + 36px)}
.tip .pic{height:132px;border-radius:min(8px,var(--r))}
.tip>.in>.pic:first-child{border-radius:var(--r) var(--r) 0 0}
.arrow{position:absolute;width:12px;height:12px;left:var(--ax,auto);top:var(--ay,auto);background:var(--bg);border-radius:3px 0 0 0;box-shadow:-1px -1px 0 var(--edge)}
.tip[data-side=bottom] .arrow{top:-6px;transform:rotate(45deg)}
.tip[data-side=top] .arrow{bottom:-6px;transform:rotate(225deg)}
.tip[data-side=right] .arrow{left:-6px;transform:rotate(-45deg)}
.tip[data-side=left] .arrow{right:-6px;transform:rotate(135deg)}
.ring{position:fixed;left:0;top:0;width:var(--rw);height:var(--rh);transform:translate(var(--rx,0),var(--ry,0));border-radius:6px;outline:2px solid var(--accent);outline-offset:3px;box-shadow:0 0 0 9px color-mix(in srgb,var(--accent) 14%,transparent);pointer-events:none}
.away{opacity:0;visibility:hidden}
.middle{left:50%;top:50%;transform:translate(-50%,-50%)}
dialog{position:fixed;inset:0;border:0;padding:0;margin:auto;width:min(432px,calc(100vw - 40px));max-width:none;height:fit-content}
dialog.card{max-height:calc(100dvh - 40px);overflow:hidden}
dialog:not([open]){display:none}
dialog::backdrop{background:var(--scrim)}
dialog>.in{padding:22px 24px 0}
dialog>.in:last-child{padding-bottom:22px}
dialog>.foot{padding:20px 22px 20px 24px}
dialog h3{font-size:19px;line-height:26px;letter-spacing:-.018em}
dialog .in>h3+p{margin-top:6px}
dialog>.in>h3:first-child{padding-inline-end:28px}
dialog>.in>:is(.pic,.video):first-child{margin:-22px -24px 22px;width:calc(100% + 48px)}
dialog .x{background-color:color-mix(in srgb,var(--bg) 86%,transparent)}
@media (prefers-reduced-motion:no-preference){
@keyframes rise{from{opacity:0;translate:0 8px}}
.tip,dialog[open]{animation:rise .16s ease-out}
}
@media (max-width:480px){
.tip{width:calc(100vw - 24px)}
dialog{inset:auto 0 var(--kb,0px) 0;margin:0;width:100vw}
dialog.card{border-radius:18px 18px 0 0;max-height:calc(100dvh - 24px - var(--kb,0px))}
dialog>.foot{padding-bottom:max(20px,env(safe-area-inset-bottom))}
dialog>.foot .prog{display:none}
dialog .foot .end{flex:1;width:100%;margin:0;flex-direction:column-reverse;align-items:stretch;gap:6px}
dialog>.in:last-child{padding-bottom:max(22px,env(safe-area-inset-bottom))}
}
@media (forced-colors:active){.ring{outline-color:Highlight}.prog i.y{background:Highlight;forced-color-adjust:none}.prog i{background:GrayText}.arrow{display:none}}
`
