import { useNavigate } from '@tanstack/react-router'
import { clock } from '../format/time.ts'
import { Button } from '../parts/button.tsx'
import { ChangedMeanwhile } from '../parts/changed-meanwhile.tsx'
import { Icon } from '../parts/icon.tsx'
import { Select } from '../parts/select.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { LeaveGuard } from '../shell/leave-guard.tsx'
import { ColorsSection } from './colors-section.tsx'
import { ContrastSection } from './contrast-section.tsx'
import { crumbs } from './crumbs.ts'
import { Pictures } from './pictures.tsx'
import type { Theme, ThemeList } from './queries.ts'
import { ShapeSection } from './shape-section.tsx'
import { ThemeActions } from './theme-actions.tsx'
import { type EditedTheme, useEditedTheme } from './use-edited-theme.ts'
import { UsedBy } from './used-by.tsx'

type Props = { theme: Theme; list: ThemeList; isGone: boolean }

/** One theme: its controls, and every widget with it. `isGone`: somebody else has deleted it. */
export function ThemeEditor({ theme, list, isGone }: Props) {
  const { slug: environment } = useEnvironment()
  const navigate = useNavigate()
  const edited = useEditedTheme(theme, isGone)
  const reason = list.may_publish ? undefined : 'Needs the role admin'
  const themes = list.data.map(({ document: { key, name } }) => ({ value: key, label: name }))
  return (
    <>
      <Bar crumbs={crumbs(environment)} current={theme.document.name} end={<SaveState edited={edited} />} />
      <LeaveGuard when={edited.isChanged} />
      <div className="edit th-edit">
        <div className="insp">
          <section>
            <div className="head">
              <div className="min-w-0">
                <h1 className="title clip" dir="auto">
                  {edited.document.name}
                </h1>
              </div>
              <div className="end">
                {themes.length > 1 && !isGone && (
                  <Select
                    label="Theme"
                    options={themes}
                    value={theme.document.key}
                    onChange={(themeKey) =>
                      void navigate({ to: '/$environment/themes/$themeKey', params: { environment, themeKey } })
                    }
                  />
                )}
                {!isGone && <ThemeActions theme={theme} list={list} edited={edited} reason={reason} />}
              </div>
            </div>
            {isGone ? (
              <GoneStrip edited={edited} reason={reason} />
            ) : (
              <>
                <p className="t2">
                  <UsedBy uses={theme.used_by} />
                  {reason && ` ${reason} to change it.`}
                </p>
                <SaveStrip edited={edited} theme={theme} />
              </>
            )}
          </section>
          <ColorsSection edited={edited} reason={reason} />
          <ShapeSection edited={edited} reason={reason} />
          <ContrastSection edited={edited} reason={reason} />
        </div>
        <Pictures theme={edited.document} />
      </div>
    </>
  )
}

function SaveState({ edited: { isSaving, isChanged, savedAt } }: { edited: EditedTheme }) {
  return (
    <span className="saved" role="status">
      {isSaving ? (
        'Saving…'
      ) : isChanged ? (
        'Not saved yet'
      ) : savedAt ? (
        <>
          <Icon name="check" /> Saved {clock(savedAt, 'seconds')}
        </>
      ) : null}
    </span>
  )
}

/** What is here is kept, and can become a theme again. */
function GoneStrip({
  edited: { isSaving, problem, save },
  reason,
}: {
  edited: EditedTheme
  reason: string | undefined
}) {
  return (
    <div className="strip-save warn" role="alert">
      <span>Somebody else deleted this theme. Yours is kept here.</span>
      {problem && <span className="problem-text">{problem}</span>}
      <span className="end">
        <Button reason={reason} busy={isSaving && 'Saving…'} onClick={save}>
          Save as a new theme
        </Button>
      </span>
    </div>
  )
}

function SaveStrip({ edited, theme }: { edited: EditedTheme; theme: Theme }) {
  const live = theme.used_by.filter(({ is_live }) => is_live).length
  if (!edited.isChanged) return null
  if (edited.conflict)
    return <ChangedMeanwhile problem={edited.conflict} onTheirs={edited.discard} onMine={edited.save} />
  return (
    <div className="strip-save">
      <span>
        {live === 0
          ? 'Users see no change yet: nothing that is live has this theme.'
          : `What is live has this theme: the change reaches users at once, in ${live === 1 ? 'one content' : `${live} contents`}.`}
      </span>
      {edited.problem && (
        <span className="problem-text" role="alert">
          {edited.problem}
        </span>
      )}
      <span className="end">
        <Button onClick={edited.discard}>Discard</Button>
        <Button kind="primary" busy={edited.isSaving && 'Saving…'} onClick={edited.save}>
          Save
        </Button>
      </span>
    </div>
  )
}
