import type { BannerDocument, ChecklistDocument, FlowDocument, LauncherDocument } from './documents.ts'

/** These give a document its type where it is written, so that an editor completes it and the compiler checks it. */

export const defineFlow = (flow: FlowDocument): FlowDocument => flow
export const defineChecklist = (checklist: ChecklistDocument): ChecklistDocument => checklist
export const defineBanner = (banner: BannerDocument): BannerDocument => banner
export const defineLauncher = (launcher: LauncherDocument): LauncherDocument => launcher
