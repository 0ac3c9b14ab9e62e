import './styles/fonts.css';
import 'virtual:theme.css';
import './styles/app.css';
import './styles/board.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { start } from './i18n/index.svelte';
import { applySettings } from './lib/settings.svelte';
import { registerWorker } from './lib/serviceWorker';

applySettings();
await start();
mount(App, { target: document.getElementById('app')! });
performance.mark('interactive');

if ('serviceWorker' in navigator && import.meta.env.PROD) void registerWorker();
