import type { BannerDocument, ContentDocument, LauncherDocument } from '../../contract/content/document.ts'
import { questionsOf } from '../../contract/content/validate.ts'
import { LAUNCHER_STEP } from '../../contract/sdk/protocol.ts'
import { useDraft } from '../content/use-draft.ts'
import { ActionsEditor } from './actions-editor.tsx'
import { BlocksSection } from './blocks-section.tsx'
import { ButtonsSection } from './buttons-section.tsx'
import { Choice, Tick } from './choice.tsx'
import { EditFrame } from './edit-frame.tsx'
import { Picture } from './picture.tsx'
import { TargetSection } from './target-section.tsx'
import { TextField } from './text-field.tsx'

/** A banner or a launcher: there is one thing, so there is no list. */
export function DesignEditor({ document }: { document: BannerDocument | LauncherDocument }) {
  return (
    <EditFrame className="one">
      <Picture document={document} />
      <aside className="insp" aria-label="Inspector">
        {document.type === 'banner' ? <BannerSections banner={document} /> : <LauncherSections launcher={document} />}
      </aside>
    </EditFrame>
  )
}

function usePut() {
  const { edit } = useDraft()
  return (name: string, change: object, field?: string) =>
    edit(name, (now) => ({ ...now, ...change }) as ContentDocument, field)
}

function BannerSections({ banner }: { banner: BannerDocument }) {
  const put = usePut()
  return (
    <>
      <section>
        <div className="sec">
          <h2 className="h2">Banner</h2>
        </div>
        <Choice
          label="Place"
          options={[
            { value: 'top', label: 'Top of the page' },
            { value: 'bottom', label: 'Bottom of the page' },
          ]}
          value={banner.position ?? 'top'}
          onChange={(position) => put('move the banner', { position })}
        />
        <Tick
          label="Users can close it"
          checked={banner.dismissible ?? true}
          onChange={(dismissible) => put('change whether the banner closes', { dismissible })}
        />
      </section>
      <BlocksSection
        blocks={banner.blocks}
        about="the banner"
        taken={questionsOf(banner).map(({ block }) => block.question)}
        canAsk={false}
        onChange={(name, blocks, field) => put(name, { blocks }, field)}
      />
      <ButtonsSection
        buttons={banner.buttons ?? []}
        document={banner}
        about="the banner"
        onChange={(name, buttons, field) => put(name, { buttons }, field)}
      />
    </>
  )
}

function LauncherSections({ launcher }: { launcher: LauncherDocument }) {
  const put = usePut()
  return (
    <>
      <section>
        <div className="sec">
          <h2 className="h2">Launcher</h2>
        </div>
        <TextField
          label="Name"
          placeholder="What screen readers say"
          maxLength={200}
          value={launcher.label}
          onChange={(label) => put('change the name of the launcher', { label }, 'label')}
        />
        <Choice
          label="Look"
          options={[
            { value: 'beacon', label: 'A dot' },
            { value: 'icon', label: 'A question mark' },
          ]}
          value={launcher.look ?? 'beacon'}
          onChange={(look) => put('change the look of the launcher', { look })}
        />
        <Tick
          label="Users can close it"
          checked={launcher.dismissible ?? false}
          onChange={(dismissible) => put('change whether the launcher closes', { dismissible })}
        />
      </section>
      <TargetSection
        target={launcher.target}
        about="the launcher"
        healthOf={LAUNCHER_STEP}
        onChange={(name, target, field) => put(name, { target }, field)}
      />
      <section>
        <div className="sec">
          <h2 className="h2">When it is activated</h2>
        </div>
        <ActionsEditor
          actions={launcher.do}
          document={launcher}
          onChange={(actions, field) => put('change what the launcher does', { do: actions }, field)}
        />
      </section>
    </>
  )
}
