import { createRoot } from 'react-dom/client';
import { App } from './app';
import { keepRuns } from './session/keep-runs';
import './styles.css';

keepRuns();
createRoot(document.getElementById('root')!).render(<App />);
