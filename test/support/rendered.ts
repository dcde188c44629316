import type {
  RenderedBlock,
  RenderedButton,
  RenderedChecklist,
  RenderedContent,
  RenderedFlow,
  RenderedStep,
  RenderedTarget,
  RenderedTask,
} from '../../contract/content/rendered.ts'
import { CONTENT_FORMAT } from '../../contract/content/rendered.ts'
import { defaultTheme } from '../../contract/content/theme.ts'

/** Content as it is handed out, for tests of the browser script. */
const common = {
  format: CONTENT_FORMAT as typeof CONTENT_FORMAT,
  id: 'cnt_1',
  version_id: 'ver_1',
  theme: defaultTheme,
  outcomes: [],
}

export const heading = (text: string): RenderedBlock => ({ heading: [{ text }] })
export const text = (words: string): RenderedBlock => ({ text: [{ paragraph: [{ text: words }] }] })
export const button = (label: string, ...actions: RenderedButton['do']): RenderedButton => ({
  label: [{ text: label }],
  style: actions.some((action) => 'next' in action || 'end' in action) ? 'primary' : 'secondary',
  do: actions,
})

export function target(testId: string, given: Partial<RenderedTarget> = {}): RenderedTarget {
  return { locators: [`testid=${testId}`], placement: 'auto', timeout_ms: 8000, on_missing: 'wait', ...given }
}

export function step(key: string, given: Partial<RenderedStep> = {}): RenderedStep {
  const type = given.type ?? 'tooltip'
  return {
    id: `stp_${key}`,
    key,
    type,
    target: type === 'tooltip' ? target(key) : null,
    blocks: [heading(`Step ${key}`), text(`The text of ${key}.`)],
    buttons: [button('Next', { next: true })],
    advance: [],
    wait_until: null,
    timeout: null,
    closable: true,
    ...given,
  }
}

export function flow(steps: RenderedStep[], given: Partial<RenderedFlow> = {}): RenderedFlow {
  return { ...common, type: 'flow', key: 'tour', name: 'Tour', steps, ...given }
}

export function task(key: string, given: Partial<RenderedTask> = {}): RenderedTask {
  const parts = { text: [], button: null, do: [], complete_when: null, visible_when: null, completed: false }
  return { id: `tsk_${key}`, key, name: [{ text: `Task ${key}` }], ...parts, ...given }
}

export function checklist(tasks: RenderedTask[], given: Partial<RenderedChecklist> = {}): RenderedChecklist {
  const looks = { position: 'bottom_right' as const, starts_open: true, dismissible: true, text: [] }
  return { ...common, type: 'checklist', key: 'start', name: 'Get started', ...looks, tasks, ...given }
}

export function banner(): RenderedContent {
  const buttons = [{ ...button('Details', { open: '/status' }) }]
  const blocks = [text('Maintenance on 22 November, 06:00 to 06:30 UTC.')]
  return { ...common, type: 'banner', key: 'news', name: 'News', blocks, buttons, position: 'top', dismissible: true }
}

export function launcher(): RenderedContent {
  return {
    ...common,
    type: 'launcher',
    key: 'help',
    name: 'Help',
    target: target('help'),
    look: 'beacon',
    label: 'What is new here',
    do: [{ start: 'tour' }],
    dismissible: true,
  }
}
