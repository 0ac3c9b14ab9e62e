/** Synthesised sounds: wood on wood for a piece, a soft bell for the end. */

import { settings } from './settings.svelte';

export type Sound = 'place' | 'refuse' | 'turn' | 'end' | 'notify' | 'low-time';

let context: AudioContext | null = null;

export function play(sound: Sound): void {
  // Browsers block sound and log a warning before the first user interaction.
  if (!settings.sounds || !navigator.userActivation?.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume();
    const now = context.currentTime + 0.005;
    SOUNDS[sound](context, now);
  } catch {
    // No sound device: stay silent.
  }
}

const SOUNDS: Record<Sound, (audio: AudioContext, at: number) => void> = {
  place(audio, at) {
    knock(audio, at, 1500, 0.5);
    tone(audio, at, 190, 0.09, 0.22);
  },
  refuse: (audio, at) => tone(audio, at, 120, 0.12, 0.12),
  turn: (audio, at) => knock(audio, at, 3200, 0.1),
  notify(audio, at) {
    tone(audio, at, 660, 0.25, 0.07);
    tone(audio, at + 0.09, 880, 0.35, 0.07);
  },
  end(audio, at) {
    [392, 523.25, 659.25].forEach((pitch, index) => tone(audio, at + index * 0.11, pitch, 0.9, 0.09));
  },
  'low-time': (audio, at) => knock(audio, at, 2400, 0.25),
};

function tone(audio: AudioContext, at: number, pitch: number, length: number, loudness: number): void {
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = 'sine';
  oscillator.frequency.setValueAtTime(pitch, at);
  gain.gain.setValueAtTime(loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

function knock(audio: AudioContext, at: number, pitch: number, loudness: number): void {
  const length = 0.06;
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++)
    samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 3;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  filter.Q.value = 1.2;
  const gain = audio.createGain();
  gain.gain.value = loudness;
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(at);
}
