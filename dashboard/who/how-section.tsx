import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ContentDocument } from '../../contract/content/document.ts'
import { defaultTheme } from '../../contract/content/theme.ts'
import { Select } from '../parts/select.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { themesQuery } from '../themes/queries.ts'
import type { EditDocument } from './edit-document.ts'
import { OptionRow } from './option-row.tsx'

type Props = { document: ContentDocument; reason: string | undefined; onEdit: EditDocument }

/** Which theme it has, and whether pages may start it. */
export function HowSection({ document, reason, onEdit }: Props) {
  const isReadOnly = reason !== undefined
  const { key, startable: mayStart = false } = document
  const setStartable = (startable: boolean) =>
    onEdit('Change whether pages may start it', ({ startable: _, ...rest }) =>
      startable ? { ...rest, startable } : rest,
    )
  return (
    <section className="wsec" aria-label="How">
      <header>
        <h2>How</h2>
      </header>
      <ul className="opt-rows">
        <OptionRow name="Theme">
          <ThemeChoice document={document} isReadOnly={isReadOnly} onEdit={onEdit} />
        </OptionRow>
        <OptionRow name="Started by a page">
          <button
            type="button"
            role="switch"
            className="switch"
            aria-checked={mayStart}
            aria-disabled={isReadOnly || undefined}
            aria-label="Pages may start it"
            onClick={() => !isReadOnly && setStartable(!mayStart)}
          />
          {mayStart ? (
            <span>
              A page may start it by <code>usher.start('{key}')</code>, whoever uses the page.
            </span>
          ) : (
            'Pages cannot start it by its key. A button of other content can.'
          )}
        </OptionRow>
      </ul>
    </section>
  )
}

/** Without a theme of its own it has the default one. */
function ThemeChoice({ document, isReadOnly, onEdit }: { isReadOnly: boolean } & Omit<Props, 'reason'>) {
  const { slug: environment } = useEnvironment()
  const themes = useQuery(themesQuery(environment)).data?.data
  const chosen = document.theme ?? defaultTheme.key
  const options = (themes ?? []).map(({ document: theme }) => ({ value: theme.key, label: theme.name }))
  const isKnown = options.some(({ value }) => value === chosen)
  const choose = (theme: string) =>
    onEdit('Change the theme', ({ theme: _, ...rest }) => (theme === defaultTheme.key ? rest : { ...rest, theme }))
  return (
    <>
      <Select
        label="Theme"
        options={isKnown || !themes ? options : [...options, { value: chosen, label: chosen, note: 'there is none' }]}
        value={chosen}
        placeholder={chosen}
        disabled={isReadOnly || !themes}
        onChange={choose}
      />
      {isKnown && (
        <Link className="link" to="/$environment/themes/$themeKey" params={{ environment, themeKey: chosen }}>
          Open the theme
        </Link>
      )}
    </>
  )
}
