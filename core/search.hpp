// A tree search of one game, which keeps its tree between runs. Call `stop` and `info` from any thread, the rest from
// one.
#pragma once

#include <memory>

#include "any_position.hpp"
#include "search_types.hpp"

namespace taiji {

class alignas(kAlignment) Search {
public:
    virtual ~Search() = default;

    // Throws std::invalid_argument if an option is out of range.
    static std::unique_ptr<Search> make(CompiledGamePtr game, const SearchOptions &options);

    // Starts to search a position; throws std::invalid_argument if the game is over or a search is running.
    virtual void start(const AnyPosition &position, const SearchLimits &limits, const Objective &objective) = 0;
    // Waits until the search has ended, at most `seconds`; returns whether it has ended.
    virtual bool wait(double seconds) = 0;
    virtual void stop() = 0;
    virtual SearchInfo info() const = 0;
    // Drops the tree and restarts the random streams.
    virtual void reset() = 0;
};

}  // namespace taiji
