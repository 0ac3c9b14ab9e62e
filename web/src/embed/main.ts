import '../styles/fonts.css';
import 'virtual:theme.css';
import '../styles/app.css';
import '../styles/board.css';
import { mount } from 'svelte';
import { start } from '../i18n/index.svelte';
import { applySettings, settings, THEMES } from '../lib/settings.svelte';
import Embed from './Embed.svelte';

// The page that embeds the board decides how it looks; without a word from it, the system does.
const query = new URLSearchParams(location.search);
settings.theme = THEMES.find((theme) => theme === query.get('theme')) ?? 'auto';
settings.coordinates = query.get('coordinates') !== '0';
settings.language = query.get('lang') ?? '';
settings.sounds = false;
applySettings();
await start();
mount(Embed, { target: document.getElementById('app')!, props: { path: location.pathname, query } });
