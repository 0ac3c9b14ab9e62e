/** The random generator of Python's `random.Random`, so that a level plays the same moves for the same seed. */

const SIZE = 624;
const PERIOD = 397;

export class PythonRandom {
  private readonly state = new Uint32Array(SIZE);
  private at = SIZE;

  /** Seed with an integer from 0 to 2^53. */
  constructor(seed: number) {
    const key = [seed >>> 0];
    const high = Math.floor(seed / 2 ** 32);
    if (high) key.push(high);
    this.seedByArray(key);
  }

  private seedByArray(key: number[]): void {
    const { state } = this;
    state[0] = 19650218;
    for (let i = 1; i < SIZE; i++) state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    let i = 1;
    const mix = (factor: number, add: number) => {
      const last = state[i - 1] ^ (state[i - 1] >>> 30);
      state[i] = (state[i] ^ Math.imul(last, factor)) + add;
      if (++i === SIZE) {
        state[0] = state[SIZE - 1];
        i = 1;
      }
    };
    for (let k = 0; k < Math.max(SIZE, key.length); k++) mix(1664525, key[k % key.length] + (k % key.length));
    for (let k = 1; k < SIZE; k++) mix(1566083941, -i);
    state[0] = 0x80000000;
  }

  private twist(): void {
    const { state } = this;
    for (let i = 0; i < SIZE; i++) {
      const joined = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
      state[i] = state[(i + PERIOD) % SIZE] ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
    }
    this.at = 0;
  }

  private next32(): number {
    if (this.at === SIZE) this.twist();
    let y = this.state[this.at++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** A number from 0 to below 1. */
  random(): number {
    const high = this.next32() >>> 5;
    return (high * 2 ** 26 + (this.next32() >>> 6)) / 2 ** 53;
  }

  uniform(low: number, high: number): number {
    return low + (high - low) * this.random();
  }

  choice<T>(values: readonly T[]): T {
    const bits = 32 - Math.clz32(values.length);
    let index = values.length;
    while (index >= values.length) index = this.next32() >>> (32 - bits);
    return values[index];
  }

  /** `getrandbits` of 63 bits, low half first. */
  bits63(): bigint {
    const low = BigInt(this.next32());
    return low | (BigInt(this.next32() >>> 1) << 32n);
  }
}
