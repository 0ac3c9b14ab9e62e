/** A position in the worker: its game in the core, and what was placed. */

import type { Game } from '../rules/game';
import type { Core, Handle, Placed } from './core';

/** A game in the core. */
export class CoreGame {
  readonly handle: Handle;

  constructor(
    readonly core: Core,
    readonly game: Game,
  ) {
    this.handle = core.game(game);
  }

  close(): void {
    this.core.free('game', this.handle);
  }
}

export class Place {
  readonly position: Handle;

  constructor(
    readonly game: CoreGame,
    readonly placed: Placed,
  ) {
    this.position = game.core.position(game.handle, placed);
  }

  get core(): Core {
    return this.game.core;
  }

  get stageIndex(): number {
    return Math.max(0, this.placed.placed.length - 1);
  }

  /** Whether the current stage has placement constraints. */
  get isConstrained(): boolean {
    return this.game.game.stages[this.stageIndex].traits.is_constrained;
  }

  get seat(): number {
    return this.core.info(this.position).seat;
  }

  /** The average number of plies that random playouts last from here. */
  pliesLeft(): number {
    const { plies, playouts } = this.core.playouts(this.position, 24, 0, 1);
    return plies / playouts;
  }

  close(): void {
    this.core.free('position', this.position);
  }
}
