import type { ReactNode } from 'react'
import type { ThemeDocument } from '../../contract/content/theme.ts'
import { Segments } from '../parts/segments.tsx'
import { Select } from '../parts/select.tsx'
import type { EditedTheme } from './use-edited-theme.ts'

const RADII = (['0', '6', '12', '18'] as const).map((value) => ({ value, label: value }))
const FONTS = [
  { value: 'page', label: 'As on the page' },
  { value: 'system', label: 'Of the system' },
  { value: 'serif', label: 'With serifs' },
  { value: 'mono', label: 'Monospaced' },
] as const satisfies { value: ThemeDocument['font']; label: string }[]
const SHADOWS = [
  { value: 'none', label: 'None' },
  { value: 'soft', label: 'Soft' },
  { value: 'strong', label: 'Strong' },
] as const satisfies { value: ThemeDocument['shadow']; label: string }[]
const MODES = [
  { value: 'page', label: 'Read from the page' },
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Always light' },
  { value: 'dark', label: 'Always dark' },
] as const satisfies { value: ThemeDocument['mode']; label: string }[]

type Props = { edited: EditedTheme; reason: string | undefined }

export function ShapeSection({ edited: { document, edit }, reason }: Props) {
  const disabled = reason !== undefined
  const radius = String(document.radius) as (typeof RADII)[number]['value']
  return (
    <section aria-labelledby="th-shape">
      <h2 className="h2" id="th-shape">
        Shape and type
      </h2>
      <Property name="Radius">
        <Segments
          label="Radius"
          options={RADII}
          value={radius}
          onChange={(chosen) => !disabled && edit({ radius: Number(chosen) as ThemeDocument['radius'] })}
        />
      </Property>
      <Property name="Shadow">
        <Segments
          label="Shadow"
          options={SHADOWS}
          value={document.shadow}
          onChange={(shadow) => !disabled && edit({ shadow })}
        />
      </Property>
      <Property name="Font">
        <Select
          label="Font"
          options={FONTS}
          value={document.font}
          disabled={disabled}
          onChange={(font) => edit({ font })}
        />
      </Property>
      <Property name="Theme is">
        <Select
          label="Theme is"
          options={MODES}
          value={document.mode}
          disabled={disabled}
          onChange={(mode) => edit({ mode })}
        />
      </Property>
    </section>
  )
}

/** The control has the name too: this one is for the eye. */
const Property = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="prop">
    <span className="t2" aria-hidden="true">
      {name}
    </span>
    {children}
  </div>
)
