import type { RenderedContent } from '../../../contract/content/rendered.ts'
import type { EditAnswer, OfferedLocator } from '../../../contract/sdk/edit.ts'
import type { Page } from '../page/page.ts'
import type { Answer, Calls } from '../server/calls.ts'
import type { QuestionPart } from '../widgets/blocks.ts'
import type { Surroundings } from '../widgets/host.ts'
import { type Drawing, InPlacePreview } from './in-place-preview.ts'
import type { Inference } from './inference.ts'
import { keep } from './keep.ts'
import { type KeptEdit, readKept } from './kept.ts'
import { barButton, headRow } from './parts.ts'
import { Picker } from './picker.ts'
import { plainText } from './plain-text.ts'
import { Surface } from './surface.ts'
import { tryAgain } from './try-again.ts'

export interface EditParts {
  calls: Calls
  page: Page
  around: Surroundings
  inference: Inference
  link(href: string): string | null
  /** Of the parts that draw. A preview asks for them, and imports none: every part is checked where it is asked for. */
  loadPart(name: 'questions'): Promise<QuestionPart>
  loadPart(name: 'checklist-run'): Promise<Pick<Drawing, 'showChecklist'>>
  loadPart(name: 'ambient-run'): Promise<Pick<Drawing, 'showBanner' | 'showLauncher'>>
}

async function loadDrawing({ loadPart }: EditParts): Promise<Drawing> {
  const [questions, { showChecklist }, { showBanner, showLauncher }] = await Promise.all([
    loadPart('questions'),
    loadPart('checklist-run'),
    loadPart('ambient-run'),
  ])
  return { questions, showChecklist, showBanner, showLauncher }
}

/** Exchanges the token of the address, or goes on after a reload, and then lets the member pick or look. */
export async function startEditMode(parts: EditParts, token: string | null, ended: () => void): Promise<void> {
  const kept = token === null ? readKept() : null
  const answer = await open(parts.calls, token, kept)
  const surface = new Surface(parts.around.baseZIndex)
  if (!answer.ok) {
    keep(null)
    const close = () => {
      surface.remove()
      ended()
    }
    surface.fill(headRow('This tab cannot edit', answer.problem, barButton('Close', close, 'main')))
    return
  }
  new EditMode(parts, surface, answer.data, ended).start()
}

type Opened = EditAnswer & { kept: KeptEdit }

async function open(calls: Calls, token: string | null, kept: KeptEdit | null): Promise<Answer<Opened>> {
  if (kept) {
    const answer = await calls.call('edit/draft', { session: kept.session })
    return answer.ok ? { ok: true, data: { ...answer.data, kept } } : answer
  }
  const answer = await calls.call('edit', { token: token ?? '' })
  if (!answer.ok) return answer
  const { session, ...rest } = answer.data
  keep({ session })
  return { ok: true, data: { ...rest, kept: { session } } }
}

class EditMode {
  readonly #parts: EditParts
  readonly #surface: Surface
  readonly #opened: Opened
  readonly #ended: () => void
  #kept: KeptEdit

  constructor(parts: EditParts, surface: Surface, opened: Opened, ended: () => void) {
    this.#parts = parts
    this.#surface = surface
    this.#opened = opened
    this.#ended = ended
    this.#kept = opened.kept
  }

  start(): void {
    if (this.#opened.purpose === 'preview') void this.#preview()
    else if (this.#kept.pending) this.#tryAgain(this.#kept.pending)
    else this.#pick()
  }

  #pick(): void {
    const { step, content } = this.#opened
    new Picker(this.#surface, this.#parts.inference, titleOf(content, step), {
      use: (locators) => {
        this.#keep({ pending: { step, locators } })
        location.reload()
      },
      cancel: () => void this.#end(),
    })
  }

  #tryAgain({ step, locators }: NonNullable<KeptEdit['pending']>): void {
    const again = () => {
      stop()
      this.#keep({})
      this.#pick()
    }
    const buttons = () => [barButton('Cancel', () => void this.#end()), barButton('Pick again', again)]
    const say = (words: string) => this.#surface.fill(headRow('Trying it again after a reload', words, ...buttons()))
    say('The element is looked for on the page as it comes up.')
    const stop = tryAgain(
      locators,
      () => say('The element is not here after a reload. Go where it is, and it is offered; or pick another.'),
      (held) => void this.#offer(step, held),
    )
  }

  async #offer(step: string | null, locators: OfferedLocator[]): Promise<void> {
    const { session } = this.#kept
    const page = this.#parts.page.info().url ?? location.origin
    const answer = await this.#parts.calls.call('edit/propose', {
      session,
      locators,
      page,
      ...(step !== null && { step }),
    })
    this.#keep({})
    const another = barButton('Pick another', () => this.#pick())
    const close = barButton('Done', () => void this.#end(), 'main')
    const words = answer.ok ? 'Go back to the editor and confirm it there.' : answer.problem
    this.#surface.fill(headRow(answer.ok ? 'The element is offered' : 'Not offered', words, another, close))
  }

  async #preview(): Promise<void> {
    const { step } = this.#opened
    const { around, link, calls } = this.#parts
    const drawing = await loadDrawing(this.#parts).catch(() => null)
    if (!drawing) {
      const end = barButton('End preview', () => void this.#end(), 'main')
      this.#surface.fill(
        headRow('The preview cannot be shown', 'A part of the script did not load. Reload the page.', end),
      )
      return
    }
    const parts = { surface: this.#surface, around, link, drawing }
    const preview = new InPlacePreview(parts, this.#opened, this.#kept.step ?? step, {
      moved: (key) => this.#keep({ step: key }),
      end: () => {
        document.removeEventListener('visibilitychange', back)
        preview.remove()
        void this.#end()
      },
    })
    // The member comes back from the editor.
    const back = async () => {
      if (document.visibilityState !== 'visible') return
      const answer = await calls.call('edit/draft', { session: this.#kept.session })
      if (answer.ok) preview.show(answer.data)
    }
    document.addEventListener('visibilitychange', back)
  }

  #keep(more: Omit<KeptEdit, 'session'>): void {
    this.#kept = { session: this.#kept.session, ...more }
    keep(this.#kept)
  }

  /** The page is an ordinary one again. */
  async #end(): Promise<void> {
    keep(null)
    this.#surface.remove()
    await this.#parts.calls.call('edit/end', { session: this.#kept.session })
    this.#ended()
  }
}

/** `Step 4, Drag a task to move it`. */
function titleOf(content: RenderedContent, key: string | null): string {
  const steps = content.type === 'flow' ? content.steps : []
  const index = steps.findIndex((step) => step.key === key)
  if (index < 0) return content.name
  const heading = steps[index]?.blocks.find((block) => 'heading' in block)
  const words = heading && 'heading' in heading ? plainText(heading.heading) : (key as string)
  return `Step ${index + 1}, ${words}`
}
