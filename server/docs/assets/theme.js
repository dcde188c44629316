// Sets the chosen theme before the first paint. An external file, because the policy allows no inline script.
const theme = localStorage.getItem('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.classList.add(theme)
