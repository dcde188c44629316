/** The logo: a U with an arrow and a person inside. */
export function Mark() {
  return (
    <svg className="mark" viewBox="2 2.4 20 20" aria-hidden="true">
      <path className="u" d="M2.5 3.5h5.2v7.9L12 15.7l4.3-4.3V3.5h5.2v8.6a9.5 9.5 0 0 1-19 0z" />
      <circle className="d" cx="12" cy="5.9" r="2.9" />
    </svg>
  )
}
