import { useState } from 'react'
import type { ThemeColors, ThemeDocument } from '../../contract/content/theme.ts'
import type { EditedTheme } from './use-edited-theme.ts'

const COLORS: readonly { name: keyof ThemeColors; label: string }[] = [
  { name: 'accent', label: 'Accent' },
  { name: 'accent_hover', label: 'Pointed at' },
  { name: 'on_accent', label: 'On accent' },
  { name: 'background', label: 'Background' },
  { name: 'text', label: 'Text' },
  { name: 'secondary_text', label: 'Second text' },
  { name: 'soft', label: 'Soft' },
  { name: 'line', label: 'Lines' },
  { name: 'control', label: 'Controls' },
]

export const MODES = ['light', 'dark'] as const

type Props = { edited: EditedTheme; reason: string | undefined }

/** The colours of both modes, side by side. */
export function ColorsSection({ edited: { document, edit }, reason }: Props) {
  return (
    <section aria-labelledby="th-colors">
      <div className="th-row head">
        <h2 className="h2" id="th-colors">
          Colours
        </h2>
        <span className="t2">Light</span>
        <span className="t2">Dark</span>
      </div>
      {COLORS.map(({ name, label }) => (
        <div key={name} className="th-row">
          <span className="t2" aria-hidden="true">
            {label}
          </span>
          {MODES.map((mode) => (
            <ColorField
              key={mode}
              label={`${label}, ${mode}`}
              value={document[mode][name]}
              isReadOnly={reason !== undefined}
              onChange={(color) => edit(withColor(document, mode, name, color))}
            />
          ))}
        </div>
      ))}
    </section>
  )
}

export const withColor = (
  document: ThemeDocument,
  mode: (typeof MODES)[number],
  name: keyof ThemeColors,
  color: string,
): Partial<ThemeDocument> => ({ [mode]: { ...document[mode], [name]: color } })

type FieldProps = { label: string; value: string; isReadOnly: boolean; onChange: (color: string) => void }

const SHORT = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/i

/**
 * A swatch that opens the browser's picker, and the same colour as text. What is no colour yet stays text. The `#` may be left
 * out. Three digits may become six, so they count when the field is left.
 */
function ColorField({ label, value, isReadOnly, onChange }: FieldProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <span className="th-color">
      <input
        type="color"
        aria-label={`${label}: choose`}
        disabled={isReadOnly}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <input
        className="mono"
        aria-label={label}
        aria-invalid={typed === undefined ? undefined : true}
        readOnly={isReadOnly}
        spellCheck={false}
        maxLength={7}
        value={typed ?? value}
        onBlur={() => {
          const short = SHORT.exec(typed ?? '')
          if (short)
            onChange(
              `#${short
                .slice(1)
                .map((digit) => digit + digit)
                .join('')}`.toLowerCase(),
            )
          setTyped(undefined)
        }}
        onChange={(event) => {
          const text = event.target.value.trim()
          const digits = /^#?([0-9a-f]{6})$/i.exec(text)?.[1]
          setTyped(digits ? undefined : text)
          if (digits) onChange(`#${digits.toLowerCase()}`)
        }}
      />
    </span>
  )
}
