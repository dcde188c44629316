import { useEffect, useState } from 'react'
import { announce } from './announce.tsx'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'

const SHOWN_MS = 1500

/** Copies, and says so for a moment. */
export function useCopy(value: string | (() => string)) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  async function copy() {
    await navigator.clipboard.writeText(typeof value === 'string' ? value : value())
    setCopied(true)
    announce('Copied')
  }
  return { copied, copy: () => void copy().catch(() => announce('The browser does not allow to copy.')) }
}

/** An id, shown as stored, one click from the clipboard. */
export function CopyId({ value, shown = value }: { value: string; shown?: string }) {
  const { copied, copy } = useCopy(value)
  return (
    <button
      type="button"
      className="copy mono"
      data-copy-id={value}
      onClick={copy}
      aria-label={`Copy ${value}`}
      dir="auto"
    >
      {shown}
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  )
}

export function CopyButton({
  value,
  quiet,
  label = 'Copy',
}: {
  value: string | (() => string)
  quiet?: boolean
  label?: string
}) {
  const { copied, copy } = useCopy(value)
  return (
    <Button small kind={quiet ? 'quiet' : 'plain'} icon={copied ? 'check' : 'copy'} onClick={copy}>
      {copied ? 'Copied' : label}
    </Button>
  )
}

export function CopyIcon({ value, label }: { value: string; label: string }) {
  const { copied, copy } = useCopy(value)
  return <IconButton icon={copied ? 'check' : 'copy'} label={copied ? 'Copied' : label} onClick={copy} />
}
