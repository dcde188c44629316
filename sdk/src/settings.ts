import type { PageRules } from './page/page.ts'
import type { Actions } from './sessions/actions.ts'
import { plainSurroundings, type Surroundings } from './widgets/host.ts'

/** The methods by which a page says how the script behaves in it. */
export abstract class Settings {
  protected readonly rules: PageRules = { urlFilter: null, inputSelector: null, inputs: [] }
  protected readonly around: Surroundings = { ...plainSurroundings }
  /** For the picker of edit mode. */
  protected readonly inference: Record<string, unknown> = {}
  protected abstract readonly actions: Actions
  protected endpoint: string | null = null

  /** The page may look different to conditions now. */
  protected abstract poke(): void

  setCustomNavigate(navigate: ((url: string) => void) | null): void {
    this.actions.navigate = navigate
  }

  setUrlFilter(filter: ((url: string) => string) | null): void {
    this.rules.urlFilter = filter
    this.poke()
  }

  setLinkUrlDecorator(decorate: ((url: string) => string) | null): void {
    this.actions.decorate = decorate
  }

  setScrollPadding(padding: Surroundings['scrollPadding'] | null): void {
    this.around.scrollPadding = padding ?? {}
  }

  setCustomScrollIntoView(scroll: ((element: Element) => void) | null): void {
    this.around.scrollIntoView = scroll
  }

  setBaseZIndex(zIndex: number): void {
    this.around.baseZIndex = Number(zIndex) || plainSurroundings.baseZIndex
  }

  /** Before `init`. */
  setServerEndpoint(endpoint: string): void {
    this.endpoint = String(endpoint)
  }

  setCustomInputSelector(selector: string | null): void {
    this.rules.inputSelector = selector
  }

  registerCustomInput(selector: string, read?: (element: Element) => string): void {
    // The newest one of a selector counts: a component may register anew each time that it is drawn.
    this.rules.inputs = [{ selector, read }, ...this.rules.inputs.filter((one) => one.selector !== selector)]
  }

  setInferenceAttributeNames(names: string[]): void {
    this.inference.attributeNames = names
  }

  setInferenceAttributeFilter(name: string, filters: unknown): void {
    this.inference[`attribute ${name}`] = filters
  }

  setInferenceClassNameFilter(filters: unknown): void {
    this.inference.classNames = filters
  }

  /** There are no page views to be switched off. */
  setPageTrackingDisabled(): void {}
}
