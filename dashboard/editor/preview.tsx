import { useEffect, useRef } from 'react'
import type { ContentDocument } from '../../contract/content/document.ts'
import { render } from '../../contract/content/render.ts'
import type { RenderedContent } from '../../contract/content/rendered.ts'
import type { ThemeDocument } from '../../contract/content/theme.ts'
import type { PreviewMessage, PreviewReport } from '../../sdk/src/preview.ts'

type Props = {
  document: ContentDocument
  theme: ThemeDocument
  /** As it is handed out to a user; else as nobody would see it. */
  rendered?: RenderedContent | undefined
  step?: string | null | undefined
  mode?: 'light' | 'dark'
  isOpen?: boolean
  done?: string[]
  /** What assistive technology calls it. */
  title: string
  /** A block was clicked, by its number. */
  onBlock?: (index: number) => void
}

/** What users see, drawn by the files that their pages load, in a frame that can reach nothing. */
export function Preview({
  document: content,
  theme,
  rendered,
  step,
  mode = 'light',
  isOpen,
  done,
  title,
  onBlock,
}: Props) {
  const frame = useRef<HTMLIFrameElement>(null)
  const isReady = useRef(false)
  const own = useLastDrawable(content, theme)
  const drawn = rendered ?? own
  const message = useRef<PreviewMessage | null>(null)
  const report = useRef(onBlock)
  report.current = onBlock
  message.current = drawn && {
    usher: 'show',
    content: drawn,
    mode,
    ...(step === undefined ? {} : { step }),
    ...(isOpen === undefined ? {} : { isOpen }),
    ...(done ? { done } : {}),
  }
  useEffect(() => {
    function hear(event: MessageEvent<PreviewReport>) {
      if (event.source !== frame.current?.contentWindow) return
      if (event.data.usher === 'ready') {
        isReady.current = true
        send(frame.current, message.current)
      }
      if (event.data.usher === 'block') report.current?.(event.data.index)
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])
  const shown = JSON.stringify(message.current)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown is the dependency
  useEffect(() => {
    if (isReady.current) send(frame.current, message.current)
  }, [shown])
  return (
    <iframe
      ref={frame}
      className={mode === 'dark' ? 'preview dark' : 'preview'}
      title={title}
      src="/sdk/preview.html"
      sandbox="allow-scripts"
    />
  )
}

/** The frame has an origin that nobody else has, so that no address can name it. What it is sent is what users see. */
function send(frame: HTMLIFrameElement | null, message: PreviewMessage | null): void {
  if (message) frame?.contentWindow?.postMessage(message, '*')
}

/** An unfinished draft cannot always be drawn: then the last one that could be stays. */
function useLastDrawable(document: ContentDocument, theme: ThemeDocument): RenderedContent | null {
  const last = useRef<RenderedContent | null>(null)
  try {
    last.current = render({
      id: '',
      versionId: '',
      document,
      theme,
      values: () => undefined,
      outcome: () => null,
      idOf: (_, key) => key,
    })
  } catch {
    // The problem is named beside the field that has it.
  }
  return last.current
}
