/** The three pages of the application, drawn anew at each navigation. */

const tasks = ['Write the brief', 'Book the venue', 'Invite the speakers']

const pages = {
  projects: {
    title: 'Projects',
    body: () => list(['Apollo'].map((name) => element('a', { href: `/demo/projects/${name.toLowerCase()}` }, name))),
  },
  apollo: { title: 'Apollo', body: (track) => [actions(track), list(tasks.map((name) => task(name, track)))].flat() },
  reports: {
    title: 'Reports',
    body: (track) => [
      action('Export', 'export', () => track('report_exported', { format: 'pdf' })),
      element('p', {}, 'Three tasks were completed this week.'),
    ],
  },
}

export function pageOf(path) {
  return path.startsWith('/demo/projects/') ? 'apollo' : path.startsWith('/demo/reports') ? 'reports' : 'projects'
}

export function render(name, track) {
  const { title, body } = pages[name]
  document.title = `${title} · Kestrel`
  document.querySelector('#page').replaceChildren(element('h1', {}, title), ...[body(track)].flat())
  for (const link of document.querySelectorAll('nav a')) {
    if (link.dataset.page === name) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
}

function actions(track) {
  const bar = element('div', { class: 'actions' })
  const addTask = () => {
    document.querySelector('.tasks').append(item(task('A new task', track)))
    track('task_created')
  }
  bar.append(
    action('New task', 'new-task', addTask),
    action('Export', 'export', () => track('report_exported')),
  )
  return bar
}

function action(text, testid, act) {
  const button = element('button', { type: 'button', 'data-testid': testid }, text)
  button.addEventListener('click', act)
  return button
}

function task(name, track) {
  const box = element('input', { type: 'checkbox' })
  box.addEventListener('change', () => box.checked && track('task_completed', { task: name }))
  const label = element('label', {}, '')
  label.append(box, name)
  return label
}

function list(items) {
  const made = element('ul', { class: 'tasks' })
  made.append(...items.map(item))
  return made
}

function item(content) {
  const line = element('li', {})
  line.append(content)
  return line
}

export function element(tag, attributes, text = '') {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.textContent = text
  return made
}
