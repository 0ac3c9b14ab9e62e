/** Where the catalogue and the definitions of games are: the server compiles them, a static build has them as files. */

export function cataloguePath(server: boolean): string {
  return server ? '/api/games' : 'definitions/games.json';
}

export function definitionPath(game: string, server: boolean): string {
  return server
    ? `/api/game-definition?game=${encodeURIComponent(game)}`
    : `definitions/${fileName(game)}.json`;
}

/** The name of a game in a static build, as in `tools/static_games.py`: `taiji:size=7,score=omega` is `taiji.score-omega.size-7`. */
function fileName(game: string): string {
  const [name, options] = game.split(':');
  const sorted = options ? options.split(',').sort() : [];
  return [name, ...sorted].join('.').replaceAll('+', '_').replaceAll('=', '-');
}
