/** By its name, the file of each part and its hash. Written by the build. */
declare const FILES: Record<string, [file: string, integrity: string]>

const base = (document.currentScript as HTMLScriptElement | null)?.src ?? location.href
const core = FILES.core?.[0]
if (core) void import(/* @vite-ignore */ new URL(core, base).href).catch(() => {})
