// A search of one game: it keeps its tree between runs. Control from one thread; `stop` and `info` from any.
#pragma once

#include <memory>

#include "handle.hpp"
#include "search_types.hpp"

namespace taiji {

class alignas(kAlignment) Search {
public:
    virtual ~Search() = default;

    // Throws std::invalid_argument, in a sentence, for options that cannot be.
    static std::unique_ptr<Search> make(SharedTables tables, const SearchOptions &options);

    // Begins to search a position that is not over; throws std::invalid_argument where it cannot.
    virtual void start(const Handle &position, const SearchLimits &limits, const Objective &objective) = 0;
    // Waits until the search has ended, or for so many seconds; tells whether it has ended.
    virtual bool wait(double seconds) = 0;
    virtual void stop() = 0;
    virtual SearchInfo info() const = 0;
    // Forgets the tree and begins the seed anew.
    virtual void reset() = 0;
};

}  // namespace taiji
