import { useEffect, useState } from 'react';

export type Theme = 'light' | 'dark';

const KEY = 'theme';

/** Light or dark: what the user has chosen, else what the system has. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(() => {
    const chosen = localStorage.getItem(KEY);
    if (chosen === 'light' || chosen === 'dark') return chosen;
    return matchMedia('(prefers-color-scheme: dark)').matches
      ? 'dark'
      : 'light';
  });
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  const choose = (next: Theme) => {
    localStorage.setItem(KEY, next);
    setTheme(next);
  };
  return [theme, choose];
}
